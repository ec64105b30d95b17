/** The floor's validation, as one writes it by hand in an afternoon: types, lengths, a plain address pattern. */

export interface NewSubscriber {
  email: string;
  /** The address in lower case; what is unique within a newsletter. */
  emailCanonical: string;
  firstName: string;
  lastName: string;
  status: "active" | "pending";
}

const address =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: rejecting control characters is the point
const control = /[\u0000-\u001f\u007f-\u009f]/;

/** Returns one item of a request as a new subscriber, or a sentence about the first thing that is wrong with it. */
export function checkItem(input: unknown): NewSubscriber | string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return "Send a JSON object.";
  const { email, name, status } = input as Record<string, unknown>;
  if (typeof email !== "string" || email.length > 1000) return "Give an email address.";
  const trimmedEmail = email.trim();
  if (trimmedEmail.length > 254 || trimmedEmail.indexOf("@") > 64 || !address.test(trimmedEmail))
    return "This is not a valid email address.";
  if (name !== undefined && name !== null && typeof name !== "string") return "The name must be a string.";
  const trimmedName = (name ?? "").trim();
  if (trimmedName.length > 255 || control.test(trimmedName))
    return "The name must be at most 255 characters, without control characters.";
  if (status !== undefined && status !== "active" && status !== "pending")
    return "The status must be active or pending.";
  const space = trimmedName.indexOf(" ");
  return {
    email: trimmedEmail,
    emailCanonical: trimmedEmail.toLowerCase(),
    firstName: space < 0 ? trimmedName : trimmedName.slice(0, space),
    lastName: space < 0 ? "" : trimmedName.slice(space + 1),
    status: status ?? "active",
  };
}
