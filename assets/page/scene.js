// <sinew-scene src="knight.glb" demo="ragdolls" set="count=3 radius=0.03" panel>: Sinew's window as an element of a page. `src` is a model,
// a scene (.ron) or a take, `demo` a demo; each pair of `set` is a setting; `panel` shows the panel. Each element is a page of its own in a frame,
// so that there may be several, and what fails in one leaves the others alone.

const HERE = new URL("./index.html", import.meta.url);

class SinewScene extends HTMLElement {
  static observedAttributes = ["src", "demo", "set", "limp-at", "quality", "panel"];
  #frame = document.createElement("iframe");

  constructor() {
    super();
    const style = document.createElement("style");
    style.textContent = ":host { display: block; aspect-ratio: 16 / 10; } iframe { border: 0; width: 100%; height: 100%; display: block; }";
    this.#frame.allow = "fullscreen";
    this.#frame.title = "a Sinew scene";
    this.attachShadow({ mode: "open" }).append(style, this.#frame);
  }

  connectedCallback() { this.#open(); }

  attributeChangedCallback() { if (this.isConnected) this.#open(); }

  // The functions of its page, once it is open: `giveFile`, `openTarget`, `takePicture`.
  get sinew() { return this.#frame.contentWindow?.sinew; }

  #open() {
    const address = new URL(HERE);
    const asked = address.searchParams;
    for (const pair of (this.getAttribute("set") ?? "").split(/\s+/).filter(Boolean)) {
      const at = pair.indexOf("=");
      asked.append(at < 0 ? pair : pair.slice(0, at), at < 0 ? "" : pair.slice(at + 1));
    }
    for (const name of ["demo", "limp-at", "quality"]) if (this.hasAttribute(name)) asked.set(name, this.getAttribute(name));
    if (this.hasAttribute("src")) asked.set("src", new URL(this.getAttribute("src"), document.baseURI));
    if (!this.hasAttribute("panel")) asked.set("panel", "0");
    if (this.#frame.src !== address.href) this.#frame.src = address;
  }
}

customElements.define("sinew-scene", SinewScene);
