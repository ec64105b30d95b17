const given = [
  "Amara",
  "Bo",
  "Chidi",
  "Dagny",
  "Emre",
  "Farah",
  "Goran",
  "Hanna",
  "Ines",
  "Jun",
  "Kaia",
  "Luca",
];
const family = [
  "Okafor",
  "Lindqvist",
  "Marchetti",
  "Novak",
  "Oduya",
  "Petrov",
  "Quispe",
  "Rahman",
  "Sato",
  "Tamm",
];
const hosts = [
  "post.example.net",
  "mail.example.org",
  "letters.example.net",
  "example.org",
  "inbox.example.edu",
];

/** Endless made-up people, none twice until 2^32 of them; addresses in no order, as they come in real life. */
export class People {
  private count = 0;

  /** One person as the JSON object that both operations take. */
  nextJson(): string {
    const n = this.count;
    this.count += 1;
    // An odd multiplier maps 32 bits onto 32 bits one to one, so what is scattered is still unique.
    const scattered = (Math.imul(n, 0x9e3779b1) >>> 0).toString(36);
    const first = given[n % given.length];
    const last = family[n % family.length];
    return `{"email":"${first}.${scattered}@${hosts[n % hosts.length]}","name":"${first} ${last}","status":"active"}`;
  }

  /** A request body: one object, or an array when `batch` is given. @param batch people in a bulk request */
  nextBody(batch?: number): string {
    if (batch === undefined) return this.nextJson();
    let body = `[${this.nextJson()}`;
    for (let i = 1; i < batch; i += 1) body += `,${this.nextJson()}`;
    return `${body}]`;
  }
}
