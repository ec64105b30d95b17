const given = "Amara Bo Chidi Dagny Emre Farah Goran Hanna Ines Jun Kaia Luca".split(" ");
const family = "Okafor Lindqvist Marchetti Novak Oduya Petrov Quispe Rahman Sato Tamm".split(" ");
const hosts = "post.example.net mail.example.org letters.example.net example.org inbox.example.edu".split(
  " ",
);

/** The constant parts of a body, made once because the client must cost little. */
const frames = Array.from({ length: 60 }, (_, n) => {
  const [first, last, host] = [given, family, hosts].map((list) => list[n % list.length]);
  return [`{"email":"${first}.`, `@${host}","name":"${first} ${last}","status":"active"}`] as const;
});

/** 16 bits as four digits: looked up, since number-to-text would be half of what a body costs. */
const digits = Array.from({ length: 0x10000 }, (_, n) => n.toString(16).padStart(4, "0"));

/** Endless made-up people, none twice until 2^32 of them; addresses in no order, as they come in real life. */
export class People {
  private count = 0;

  /** A request body: one object, or an array of `batch` people. */
  nextBody(batch?: number): string {
    if (batch === undefined) return this.nextJson();
    const bodies: string[] = [];
    for (let i = 0; i < batch; i += 1) bodies.push(this.nextJson());
    return `[${bodies.join()}]`;
  }

  private nextJson(): string {
    const n = this.count;
    this.count += 1;
    const [before, after] = frames[n % frames.length] as (typeof frames)[0];
    // An odd multiplier maps 32 bits onto 32 bits one to one, so what is scattered is still unique.
    const scattered = Math.imul(n, 0x9e3779b1);
    return `${before}${digits[scattered >>> 16]}${digits[scattered & 0xffff]}${after}`;
  }
}
