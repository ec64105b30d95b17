/** Returns the column of a row's property: `firstName` → `first_name`. */
export const columnName = (property: string) =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
