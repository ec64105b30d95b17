// The "Try it" forms of /docs. The API key stays in its field: it is stored nowhere, and goes to this server only.
const key = document.querySelector("#key");

/** The request that a form describes. */
function requestOf(form) {
  const fields = [...form.querySelectorAll("[data-in]")].filter((field) => field.value !== "");
  const valuesIn = (place) => fields.filter((field) => field.dataset.in === place);
  let path = form.dataset.path;
  for (const field of valuesIn("path"))
    path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
  const url = new URL(path, window.location.origin);
  for (const field of valuesIn("query")) url.searchParams.set(field.name, field.value);
  const headers = new Headers(valuesIn("header").map((field) => [field.name, field.value]));
  if (key.value) headers.set("Authorization", `Bearer ${key.value.trim()}`);
  const [body] = valuesIn("body");
  if (body) headers.set("Content-Type", "application/json");
  return new Request(url, { method: form.dataset.method, headers, body: body?.value, credentials: "omit" });
}

function formatted(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

async function send(form) {
  const [status, output] = form.querySelectorAll("output, pre");
  const startedAt = performance.now();
  status.textContent = "Sending …";
  output.hidden = true;
  try {
    const response = await fetch(requestOf(form));
    output.textContent = formatted(await response.text());
    const ms = Math.round(performance.now() - startedAt);
    status.textContent = `${response.status} ${response.statusText} · ${ms} ms`;
    output.hidden = output.textContent === "";
  } catch (error) {
    status.textContent = `Nothing was received: ${error.message}`;
  }
}

for (const form of document.querySelectorAll("form[data-path]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
