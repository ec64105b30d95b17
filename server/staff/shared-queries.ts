// Other modules run these queries in their own transactions. All others are private.

export { listInvitationsBy } from "./queries/invitations";
export { insertStaffMember, staffNames } from "./queries/staff";
export { findStaffLink, insertStaffLink } from "./queries/staff-links";
