// Other modules run these queries in their own transactions. All others are private.

export { listInvitationsBy } from "./queries/invitations";
export { deleteSetupLinks, hasSetupLink, insertSetupLink } from "./queries/setup-links";
export { insertStaffMember, staffNames } from "./queries/staff";
