import { z } from "zod";
import { parseName } from "./name";

/** The name of an account, a newsletter or a key: 1 to 255 characters on one line. */
export const Title = z
  .string({ error: "Enter a name." })
  .max(4000, "The name may have at most 255 characters.")
  .transform((value, ctx) => {
    const validation = parseName(value);
    if (validation.ok && validation.name !== "") return validation.name;
    ctx.issues.push({
      code: "custom",
      message: validation.ok ? "Enter a name." : validation.message,
      input: value,
    });
    return z.NEVER;
  });

export const Password = z
  .string({ error: "Enter a password." })
  .min(10, "The password must have at least 10 characters.")
  .max(128, "The password may have at most 128 characters.");
