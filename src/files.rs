//! Files: those of the machine, or in a browser those that a page was given, and what it hands to the player as downloads.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use self::machine::{inside, is_there, make_folder, read, read_text, size, write};
#[cfg(target_arch = "wasm32")]
pub(crate) use self::page::{inside, is_there, last_written, make_folder, put, read, read_text, size, write};

#[cfg(not(target_arch = "wasm32"))]
mod machine {
    use std::fs;
    use std::io::{Error, ErrorKind, Result};
    use std::path::{Path, PathBuf};

    pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
        fs::read(path)
    }

    pub(crate) fn read_text(path: &Path) -> Result<String> {
        fs::read_to_string(path)
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

    pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
        fs::write(path, bytes)
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
