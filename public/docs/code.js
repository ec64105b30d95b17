// The code of the docs: tabs for its languages, and a button that copies it. Without scripts all languages are shown.
const STORED = "language";

function button(text, onClick) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", () => onClick(made));
  return made;
}

async function copy(figure, pressed) {
  try {
    await navigator.clipboard.writeText(figure.querySelector("code").textContent);
    pressed.textContent = "Copied";
  } catch {
    pressed.textContent = "Select the code to copy it";
  }
  setTimeout(() => {
    pressed.textContent = "Copy";
  }, 2000);
}

const groups = [...document.querySelectorAll(".codes")].map((group) => [...group.querySelectorAll("figure")]);
const languageOf = (figure) => figure.dataset.language;

/** Shows a language in every group that has it. */
function show(language) {
  for (const figures of groups) {
    if (!figures.some((figure) => languageOf(figure) === language)) continue;
    for (const figure of figures) {
      figure.hidden = languageOf(figure) !== language;
      for (const tab of figure.querySelectorAll("[data-tab]"))
        tab.setAttribute("aria-pressed", String(tab.textContent === language));
    }
  }
}

for (const figures of groups) {
  for (const figure of figures) {
    const caption = figure.querySelector("figcaption");
    if (figures.length > 1) {
      caption.replaceChildren(
        ...figures.map((one) => {
          const tab = button(languageOf(one), () => {
            show(languageOf(one));
            localStorage.setItem(STORED, languageOf(one));
            one.querySelector('[aria-pressed="true"]').focus();
          });
          tab.dataset.tab = "";
          return tab;
        }),
      );
    }
    const copier = button("Copy", (pressed) => copy(figure, pressed));
    copier.className = "copy";
    copier.setAttribute("aria-live", "polite");
    caption.append(copier);
  }
  if (figures.length > 1) show(languageOf(figures[0]));
}
const chosen = localStorage.getItem(STORED);
if (chosen) show(chosen);
