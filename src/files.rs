//! Files: those of the machine, or in a browser those that a page was given, and what it hands to the player as downloads.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use self::machine::{check_writable, inside, is_there, make_folder, read, read_text, size, was_read, write};
#[cfg(target_arch = "wasm32")]
pub(crate) use self::page::{
    check_writable, inside, is_there, last_written, make_folder, put, read, read_text, size, write,
};

use std::fs;
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A file that has another name until it is whole: what fails or is stopped takes the place of none.
#[derive(Debug)]
pub(crate) struct Draft {
    path: PathBuf,
    whole: PathBuf,
}

impl Draft {
    /// Begins a file that is to replace the one at `whole`, or the one that a link there leads to. Pipes and devices are written into, and so
    /// is a file whose folder takes no other.
    ///
    /// # Errors
    /// The draft cannot be made.
    pub(crate) fn of(whole: &Path) -> Result<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let there = whole.metadata();
        let is_link = whole.symlink_metadata().is_ok_and(|there| there.is_symlink());
        let in_place = || Self { path: whole.to_owned(), whole: whole.to_owned() };
        match &there {
            Ok(there) if !there.is_file() => return Ok(in_place()),
            // A link to nothing makes what it leads to.
            Err(_) if is_link => return Ok(in_place()),
            _ => {}
        }
        let whole = if is_link { whole.canonicalize()? } else { whole.to_owned() };
        let made = MADE.fetch_add(1, Ordering::Relaxed);
        let mut path = whole.with_file_name(format!("sinew-part-{}-{made}", std::process::id()));
        if let Some(ending) = whole.extension() {
            path.set_extension(ending);
        }
        match fs::File::create(&path) {
            Ok(_) => Ok(Self { path, whole }),
            Err(error) if there.is_ok() && error.kind() == ErrorKind::PermissionDenied => Ok(in_place()),
            Err(error) => Err(error),
        }
    }

    /// Where it is until it is whole.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its name.
    ///
    /// # Errors
    /// It cannot take the place of what is there.
    pub(crate) fn keep(self) -> Result<()> {
        if !self.is_apart() {
            return Ok(());
        }
        if let Ok(before) = self.whole.metadata() {
            // Where rights cannot be set, it has those of any new file.
            let _ = fs::set_permissions(&self.path, before.permissions());
        }
        fs::rename(&self.path, &self.whole)
    }

    fn is_apart(&self) -> bool {
        self.path != self.whole
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.is_apart() {
            // Kept already, or of no use.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod machine {
    use std::collections::BTreeSet;
    use std::fs;
    use std::io::{Error, ErrorKind, Result};
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, PoisonError};

    use super::Draft;

    /// Files that were read, so that no result is written over one.
    static READ: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

    pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
        fs::read(path).inspect(|_| note(path))
    }

    pub(crate) fn read_text(path: &Path) -> Result<String> {
        let text = fs::read_to_string(path).inspect(|_| note(path))?;
        // Some editors begin a text with a mark of its bytes' order.
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }

    fn note(path: &Path) {
        if let Ok(full) = path.canonicalize() {
            READ.lock().unwrap_or_else(PoisonError::into_inner).insert(full);
        }
    }

    /// Whether it is a file that this process has read, by whatever name.
    pub(crate) fn was_read(path: &Path) -> bool {
        let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        path.canonicalize().is_ok_and(|full| read.contains(&full) || read.iter().any(|other| is_same(other, &full)))
    }

    /// Whether two names are of one file.
    #[cfg(unix)]
    fn is_same(one: &Path, other: &Path) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        let file = |path: &Path| path.metadata().ok().map(|there| (there.dev(), there.ino()));
        file(one).is_some_and(|one| file(other) == Some(one))
    }

    #[cfg(not(unix))]
    fn is_same(_: &Path, _: &Path) -> bool {
        false
    }

    /// Bytes of a file.
    pub(crate) fn size(path: &Path) -> Result<u64> {
        Ok(fs::metadata(path)?.len())
    }

    pub(crate) fn is_there(path: &Path) -> bool {
        path.exists()
    }

    /// Where a file of a folder really is; links must not lead out of the folder.
    pub(crate) fn inside(folder: &Path, path: &Path) -> Result<PathBuf> {
        let folder = folder.canonicalize()?;
        let full = folder.join(path).canonicalize()?;
        let leads_out = || Error::new(ErrorKind::InvalidInput, "is not a file inside the asset's folder");
        if full.starts_with(&folder) { Ok(full) } else { Err(leads_out()) }
    }

    pub(crate) fn make_folder(path: &Path) -> Result<()> {
        fs::create_dir_all(path)
    }

    /// Makes sure that a file can be written later, so that nobody waits for a result that has nowhere to go. Leaves no empty file
    /// behind: who stops before the result is there should not find one.
    pub(crate) fn check_writable(path: &Path) -> Result<()> {
        if path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
            // A pipe would wait for a reader, and take this for the end.
            return Ok(());
        }
        let is_new = !path.exists();
        let opened = fs::File::options().append(true).create(true).open(path);
        // Of a link to nothing what it leads to, not the link.
        opened.and_then(|_| if is_new { fs::remove_file(path.canonicalize()?) } else { Ok(()) })
    }

    /// Writes a file whole or not at all.
    pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
        check_writable(path)?;
        let draft = Draft::of(path)?;
        fs::write(draft.path(), bytes)?;
        draft.keep()
    }
}

#[cfg(target_arch = "wasm32")]
mod page {
    use std::cell::RefCell;
    use std::collections::HashMap;
    use std::io::{Error, ErrorKind, Result};
    use std::path::{Component, Path, PathBuf};

    use wasm_bindgen::{JsCast, JsValue};
    use web_sys::{Blob, HtmlAnchorElement, Url};

    thread_local! {
        /// Files by their names without folders: a page is told no others.
        static GIVEN: RefCell<HashMap<String, Vec<u8>>> = RefCell::default();
        /// The name of the one that was written last.
        static WRITTEN: RefCell<String> = const { RefCell::new(String::new()) };
    }

    fn name(path: &Path) -> String {
        path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Keeps a file that the page was given, in place of an older one of its name.
    pub(crate) fn put(path: &Path, bytes: Vec<u8>) {
        GIVEN.with_borrow_mut(|given| given.insert(name(path), bytes));
    }

    fn with<T>(path: &Path, look: impl FnOnce(&Vec<u8>) -> T) -> Result<T> {
        let missing = || Error::from(ErrorKind::NotFound);
        GIVEN.with_borrow(|given| given.get(&name(path)).map(look).ok_or_else(missing))
    }

    pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
        with(path, Clone::clone)
    }

    pub(crate) fn read_text(path: &Path) -> Result<String> {
        String::from_utf8(read(path)?).map_err(|error| Error::new(ErrorKind::InvalidData, error))
    }

    /// Bytes of a file.
    pub(crate) fn size(path: &Path) -> Result<u64> {
        with(path, |bytes| bytes.len() as u64)
    }

    pub(crate) fn is_there(path: &Path) -> bool {
        size(path).is_ok()
    }

    /// Where a file of a folder is: folders are not told apart.
    pub(crate) fn inside(_: &Path, path: &Path) -> Result<PathBuf> {
        let climbs = path.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
        if climbs { Err(ErrorKind::InvalidInput.into()) } else { Ok(path.to_owned()) }
    }

    /// Downloads need no folder.
    #[allow(clippy::unnecessary_wraps)]
    pub(crate) fn make_folder(_: &Path) -> Result<()> {
        Ok(())
    }

    /// Downloads can always be made.
    #[allow(clippy::unnecessary_wraps)]
    pub(crate) fn check_writable(_: &Path) -> Result<()> {
        Ok(())
    }

    /// Hands a file to the player, as a download; it can be opened here, too.
    pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
        put(path, bytes.as_ref().to_vec());
        WRITTEN.set(name(path));
        download(&name(path), bytes.as_ref()).map_err(|error| Error::other(format!("{error:?}")))
    }

    /// What was written last.
    pub(crate) fn last_written() -> Option<Vec<u8>> {
        let name = WRITTEN.with_borrow(Clone::clone);
        read(Path::new(&name)).ok()
    }

    fn download(name: &str, bytes: &[u8]) -> std::result::Result<(), JsValue> {
        let document = web_sys::window().and_then(|window| window.document()).ok_or("there is no page")?;
        let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
        let url = Url::create_object_url_with_blob(&Blob::new_with_u8_array_sequence(&parts)?)?;
        let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
        link.set_href(&url);
        link.set_download(name);
        link.click();
        Url::revoke_object_url(&url)
    }
}
