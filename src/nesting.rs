//! The path to a position in a nested text, in RON and in JSON: the keys, indices and names that lead to it.

/// A parenthesis, bracket or brace that is open.
struct Open<'a> {
    /// The word before it: a variant, or the type.
    name: &'a str,
    /// Whether its parts have keys; else they are counted.
    keyed: bool,
    /// The key of the part.
    key: &'a str,
    /// The number of the part, from 0.
    part: usize,
}

/// The way to what stands before byte `end` of `text`, such as `items[0].Body.mass`, or, if `around`, to what that is a part of.
/// Empty for all of the text.
pub(crate) fn way_to(text: &str, end: usize, around: bool) -> String {
    let mut open: Vec<Open<'_>> = Vec::new();
    let (mut word, mut rest) = ("", text);
    while text.len() - rest.len() < end.min(text.len()) {
        let (token, after) = rest.split_at(token_length(rest));
        rest = after;
        match token {
            "(" | "[" | "{" => {
                // `Some` is left out as often as not, and has one part.
                let name = if word == "Some" { "" } else { word };
                let keyed = token == "{" || token == "(" && (name != word || begins_with_key(rest));
                open.push(Open { name, keyed, key: "", part: 0 });
                word = "";
            }
            ")" | "]" | "}" => {
                open.pop();
                word = "";
            }
            ":" => {
                if let Some(last) = open.last_mut() {
                    last.key = word;
                }
                word = "";
            }
            "," => {
                if let Some(last) = open.last_mut() {
                    (last.key, last.part) = ("", last.part + 1);
                }
                word = "";
            }
            _ if is_space(token) => {}
            _ => word = token.trim_matches('"'),
        }
    }
    let inner = open.len();
    let mut way = String::new();
    for (depth, at) in open.iter().enumerate() {
        if !at.name.is_empty() {
            way = format!("{way}.{}", at.name);
        }
        if around && depth + 1 == inner {
            continue;
        }
        if !at.keyed {
            way = format!("{way}[{}]", at.part);
        } else if !at.key.is_empty() {
            way = format!("{way}.{}", at.key);
        }
    }
    way.trim_start_matches('.').to_owned()
}

/// Whether what follows is a key, or the end of what has no parts.
fn begins_with_key(mut text: &str) -> bool {
    let mut next = || {
        loop {
            let (token, after) = text.split_at(token_length(text));
            text = after;
            if token.is_empty() || !is_space(token) {
                return token;
            }
        }
    };
    let first = next();
    first == ")" || first.starts_with(|c: char| c.is_alphabetic() || c == '_') && next() == ":"
}

/// Whether a token is white space or a comment.
fn is_space(token: &str) -> bool {
    token.starts_with("//") || token.starts_with("/*") || token.trim().is_empty()
}

/// Length of the first token: white space, a comment, a string, a word or number, or one letter [bytes].
fn token_length(text: &str) -> usize {
    let run = |is: fn(char) -> bool| text.find(|c| !is(c)).unwrap_or(text.len());
    let Some(first) = text.chars().next() else { return 0 };
    match first {
        '"' => 1 + string_length(&text[1..], '"'),
        '\'' => 1 + string_length(&text[1..], '\''),
        _ if text.starts_with("//") => text.find('\n').unwrap_or(text.len()),
        _ if text.starts_with("/*") => comment_length(text),
        _ if first.is_whitespace() => run(char::is_whitespace),
        _ if first.is_alphanumeric() || first == '_' => {
            raw_length(text).unwrap_or_else(|| run(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '+' | '-')))
        }
        _ => first.len_utf8(),
    }
}

/// To the end of a string whose first quote is before `text` [bytes].
fn string_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices() {
        if c == quote && !escaped {
            return i + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// To the end of a string that takes letters as they are, if `text` begins with one [bytes].
fn raw_length(text: &str) -> Option<usize> {
    let head = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let marks = head.len() - head.trim_start_matches('#').len();
    let inside = head[marks..].strip_prefix('"')?;
    let end = format!("\"{}", &head[..marks]);
    let start = text.len() - inside.len();
    Some(inside.find(&end).map_or(text.len(), |at| start + at + end.len()))
}

/// Length of a comment that may have others in it [bytes].
fn comment_length(text: &str) -> usize {
    let (mut depth, mut at) = (0_u32, 0);
    while let Some(found) = text[at..].find(['/', '*']) {
        at += found;
        let step = match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::way_to;

    #[test]
    fn the_way_has_keys_numbers_and_names() {
        let text = r##"( // a (comment
            a: [1, Two(b: "x\"(", c: (3, 4)), /* ( /* [ */ */ Three],
            r: r#"("# , d: Some((e: 'q', f: '\'')), g: ())"##;
        let way = |mark: &str| way_to(text, text.find(mark).unwrap(), false);
        assert_eq!(way("1"), "a[0]");
        assert_eq!(way("\"x"), "a[1].Two.b");
        assert_eq!(way("4"), "a[1].Two.c[1]");
        assert_eq!(way("Three"), "a[2]");
        assert_eq!(way("'q'"), "d.e");
        assert_eq!(way("'\\''"), "d.f");
        assert_eq!(way("())"), "g");
        assert_eq!(way_to(text, text.len() - 1, true), "");
        assert_eq!(way_to(text, text.find("4").unwrap(), true), "a[1].Two.c");
        assert_eq!((way_to(text, 0, false), way_to("", 9, false)), (String::new(), String::new()));
    }

    #[test]
    fn a_key_that_is_not_known_is_not_on_the_way() {
        for text in ["(item: 3)", "(a: 1, item: 3)", "{\"a\": 1, \"item\": 3}"] {
            let at = text.find("item").unwrap();
            assert_eq!(
                (way_to(text, at, false), way_to(text, at + 4, false)),
                (String::new(), String::new()),
                "{text}"
            );
        }
        let json = "{\"nodes\": [{\"mesh\": 0}, {\"mesh\": \"x\", \"skin\": 0}]}";
        assert_eq!(way_to(json, json.find("x\"").unwrap() + 2, false), "nodes[1].mesh");
        assert_eq!(way_to(json, json.find("}, {").unwrap(), true), "nodes[0]");
    }

    #[test]
    fn no_text_is_too_strange() {
        for text in
            [")]}", "((((", "\"", "'", "/*", "/* /*", "r#\"", "br##\"x\"#", "::,,", "ä(ö: [ü", "\\", "#![enable(x)]("]
        {
            (0..=text.len() + 1).for_each(|end| drop(way_to(text, end, end % 2 == 0)));
        }
    }
}
