/** The column that a property of a row is read from: `firstName` is `first_name`. */
export const columnName = (property: string) =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
