// These queries are for other modules, inside their own transactions. All other queries of this module are private.

export { listInvitationsBy } from "./queries/invitations";
export { deleteSetupLinks, hasSetupLink, insertSetupLink } from "./queries/setup-links";
export { insertStaffMember, staffNames } from "./queries/staff";
