import type { Texts } from "../../texts/texts";

/** A long insertion is split into pieces of this size. Each piece is its own task, so the page stays responsive. */
export const PIECE = 192 * 1024;

export const teaching = (texts: Texts<"imports.editor">) =>
  [
    "ada@lovelace.org",
    "Grace Hopper <grace@navy.mil>",
    "alan@turing.uk, Alan Turing",
    "",
    texts("orDrop"),
  ].join("\n");

/** Focuses a field unless another element has the focus. Touch devices are skipped: a keyboard would open. */
export function focusIfFree(field: { focus(): void }): void {
  const isFree = document.activeElement === null || document.activeElement === document.body;
  if (isFree && window.matchMedia("(pointer: fine)").matches) field.focus();
}

/** Takes text until the editor has loaded, which weighs 105 kB. */
export class PlainField {
  readonly element = document.createElement("textarea");
  /** A long pasted text. The browser would draw all of its lines. */
  #pasted = "";
  #composed: Promise<unknown> | null = null;

  constructor(parent: HTMLElement, texts: Texts<"imports.editor">) {
    const { element } = this;
    Object.assign(element, { placeholder: teaching(texts), spellcheck: false, autocapitalize: "off" });
    element.setAttribute("aria-label", texts("label"));
    element.setAttribute("aria-describedby", "list-help");
    element.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.length <= PIECE) return;
      event.preventDefault();
      this.#pasted += text;
    });
    element.addEventListener("compositionstart", () => {
      this.#composed = new Promise((resolve) => element.addEventListener("compositionend", resolve));
    });
    parent.append(element);
  }

  /** Moves the text and the focus to the editor, after a character that an input method composes. */
  async giveTo(editor: { view: { focus(): void }; insert(text: string): Promise<void> }): Promise<void> {
    await this.#composed;
    const text = this.element.value + this.#pasted;
    const hasFocus = document.activeElement === this.element;
    this.element.remove();
    if (hasFocus) editor.view.focus();
    if (text !== "") await editor.insert(text);
  }
}
