// Other modules run these queries in their own transactions. All others are private.
export { hasWork } from "./queries/work";
