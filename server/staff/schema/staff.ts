import { z } from "zod";
import { Password, Title } from "../../kernel/title-and-password";
import { EmailField } from "../../subscribers/schema/subscriber";
import { roles } from "./roles";

export const Invitation = z.object({ email: EmailField, role: z.enum(roles) });
export type Invitation = z.input<typeof Invitation>;

export const Joining = z.object({ name: Title, password: Password });
export type Joining = z.input<typeof Joining>;

export const NewPassword = z.object({ password: Password });
export const OwnName = z.object({ name: Title });
export const NewEmail = z.object({ email: EmailField });
