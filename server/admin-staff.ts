import { type Command, need } from "./admin-command";
import { resetPasswordOf } from "./services/password-reset";
import { listAllStaff } from "./services/staff";

/** The commands about who signs in. */
export const staffCommands: Record<string, Command> = {
  "list-staff": {
    usage: "",
    does: "lists who signs in: address, name, role, account, second factors and last visit",
    async run(ctx) {
      const staff = await listAllStaff(ctx);
      const lines = staff.map((member) => {
        const { email, name, role, account, second_factors: factors, last_seen_at: seen } = member;
        const visited = seen ? `seen ${seen.toISOString()}` : "never signed in";
        return `${email}  ${name}  ${role} of ${account}  ${factors.join(" and ") || "no second factor"}  ${visited}`;
      });
      return {
        json: { staff },
        lines: lines.length > 0 ? lines : ["Nobody signs in yet: setup makes an owner."],
      };
    },
  },
  "reset-password": {
    usage: "--email E [--password -|--password-file FILE] [--without-second-factor]",
    does: "gives a staff member another password and signs them out everywhere; asks for it or reads it from stdin",
    async run(ctx, options) {
      const email = need(options, "email");
      const withoutSecondFactor = Boolean(options["without-second-factor"]);
      const staff = await resetPasswordOf(ctx, {
        email,
        password: need(options, "password"),
        withoutSecondFactor,
      });
      const lines = [
        `${staff.name} (${staff.email}) has the new password and is signed out everywhere.`,
        ...(withoutSecondFactor ? ["Their authenticator app and passkeys are removed."] : []),
      ];
      return { json: { staff: { ...staff, without_second_factor: withoutSecondFactor } }, lines };
    },
  },
};
