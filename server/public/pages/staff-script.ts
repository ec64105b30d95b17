/**
 * The script of the pages for staff who are not signed in. It shows typed passwords and signs in with a passkey. The
 * pages work without it: the passkey button is hidden until the script finds that the browser supports passkeys.
 * Browsers before 2025 can't parse the passkey options from JSON.
 */
export const staffScript = `(() => {
  for (const input of document.querySelectorAll("input[type=password]")) {
    const { show, hide } = input.form.dataset;
    const button = document.createElement("button");
    const render = (type) => {
      input.type = type;
      button.textContent = type === "password" ? show : hide;
    };
    button.type = "button";
    button.className = "reveal";
    button.setAttribute("aria-controls", input.id);
    button.addEventListener("click", () => render(input.type === "password" ? "text" : "password"));
    // Password managers save only inputs of this type.
    input.form.addEventListener("submit", () => render("password"));
    render("password");
    input.after(button);
  }
  const form = document.getElementById("passkey");
  if (!form || typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON !== "function") return;
  const [answer, button] = form.elements;
  const problem = document.getElementById("passkey-problem");
  form.hidden = false;
  addEventListener("pageshow", () => { button.disabled = false; });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    problem.textContent = "";
    try {
      const response = await fetch("/api/auth/passkey/generate-authenticate-options");
      const options = await response.json();
      if (!response.ok) throw new Error();
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const used = await navigator.credentials.get({ publicKey });
      answer.value = JSON.stringify(used.toJSON());
      form.submit();
    } catch ({ name }) {
      const texts = JSON.parse(form.dataset.errors);
      problem.textContent = texts[name] || texts.Error;
      button.disabled = false;
    }
  });
})();`;
