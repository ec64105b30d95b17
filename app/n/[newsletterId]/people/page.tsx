import { titledBy } from "@/components/texts/of-request";

export { PeoplePage as default } from "@/components/subscribers/people-page";
export const generateMetadata = titledBy("titles.people");
