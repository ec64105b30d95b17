import type { Verb } from "../cli/command";
import { text, type VerbOption } from "../cli/options";
import { passwordOption } from "../cli/secrets";
import { OperatorError } from "../kernel/errors";
import { invite } from "./invitations";
import { resetPasswordOf } from "./password-reset";
import { type Role, roles } from "./schema/roles";
import { getStaffByEmail, listAllStaff, removeStaff, setRole } from "./staff";

const emailOption: VerbOption = ["--email <address>", "the address they sign in with", "required"];
const roleOption: VerbOption = ["--role <role>", `one of ${roles.join(", ")}`, "required"];

function roleOf(given: string): Role {
  if (!roles.includes(given as Role))
    throw new OperatorError(`--role must be one of ${roles.join(", ")}. Nothing was changed.`);
  return given as Role;
}

export const staffVerbs: Record<string, Verb> = {
  list: {
    does: "lists staff: address, name, role, account, second factors and last visit",
    example: "--json",
    async run(ctx) {
      const staff = await listAllStaff(ctx);
      const lines = staff.map((member) => {
        const { email, name, role, account, second_factors: factors, last_seen_at: seen } = member;
        const visited = seen ? `seen ${seen.toISOString()}` : "never signed in";
        return `${email}  ${name}  ${role} of ${account}  ${factors.join(" and ") || "no second factor"}  ${visited}`;
      });
      return {
        json: { staff },
        lines: lines.length > 0 ? lines : ["No staff yet. Run setup to create an owner."],
      };
    },
  },
  invite: {
    does: "invites a person by email and shows the link, which works for 7 days",
    example: "--account 019d… --email grace@navy.mil --role editor",
    options: [
      ["--account <id>", "the account's id; see `accounts list`", "required"],
      emailOption,
      roleOption,
    ],
    async run(ctx, options) {
      const [email, role] = [text(options, "email"), roleOf(text(options, "role"))];
      const { url } = await invite(ctx, { accountId: text(options, "account"), invitation: { email, role } });
      return {
        json: { invitation: { email, role, url } },
        lines: [`${email} is invited as ${role}. The link in the email works for 7 days:`, url],
      };
    },
  },
  role: {
    does: "changes the role of a staff member",
    example: "--email grace@navy.mil --role owner",
    options: [emailOption, roleOption],
    async run(ctx, options) {
      const [member, role] = [
        await getStaffByEmail(ctx, { email: text(options, "email") }),
        roleOf(text(options, "role")),
      ];
      await setRole(ctx, { ...member, role });
      return {
        json: { staff: { id: member.id, role } },
        lines: [`${text(options, "email")} is now ${role}.`],
      };
    },
  },
  remove: {
    does: "removes a staff member immediately; their API keys keep working",
    example: "--email grace@navy.mil",
    options: [emailOption],
    async run(ctx, options) {
      const member = await getStaffByEmail(ctx, { email: text(options, "email") });
      await removeStaff(ctx, member);
      return {
        json: { staff: { id: member.id, removed: true } },
        lines: [`${text(options, "email")} was removed and signed out everywhere.`],
      };
    },
  },
  reset: {
    does: "sets a new password for a staff member and signs them out everywhere",
    example: "--email ada@lovelace.org --without-second-factor",
    options: [
      emailOption,
      passwordOption,
      ["--without-second-factor", "also removes their authenticator app and passkeys"],
    ],
    async run(ctx, options) {
      const withoutSecondFactor = Boolean(options.withoutSecondFactor);
      const [email, password] = [text(options, "email"), text(options, "password")];
      const staff = await resetPasswordOf(ctx, { email, password, withoutSecondFactor });
      const lines = [
        `${staff.name} (${staff.email}) has the new password and is signed out everywhere.`,
        ...(withoutSecondFactor ? ["Their authenticator app and passkeys were removed."] : []),
      ];
      return { json: { staff: { ...staff, without_second_factor: withoutSecondFactor } }, lines };
    },
  },
};
