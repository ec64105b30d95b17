// Believable people for `npm start -- --demo`: names from many places, addresses made of them, nobody real.
const given =
  `Ada Grace Alan Edsger Barbara Donald Margaret Linus Radia Dennis Frances Ken Hedy Tim Katherine John Annie Claude Mary
Niklaus Sophie Vint Karen Guido Joan Bjarne Evelyn Anders Shafi Leslie Adele Robin Susan Tony Jean Whitfield Lynn Yukihiro
Fatima Omar Amina Yusuf Layla Hassan Noor Karim Priya Arjun Ananya Rohan Meera Vikram Wei Ling Hui Ming Yuki Haruto Sakura
Kenji Min-jun Seo-yeon Ji-woo Chidi Ngozi Kwame Abena Thandiwe Sipho Amara Tariq Mateo Valentina Santiago Camila Diego
Lucía João Beatriz Thiago Marina Åsa Björn Søren Ingrid Jürgen Anneliese Łukasz Agnieszka Zoë François Renée Étienne Chloé
Giulia Marco Chiara Luca Ioanna Nikos Dmitri Olga Pavel Irina Mehmet Elif Emre Zeynep Liam Niamh Sean Aoife`.split(
    /\s+/,
  );

const family =
  `Lovelace Hopper Turing Dijkstra Liskov Knuth Hamilton Perlman Ritchie Allen Thompson Lamarr Johnson Shannon Jackson
Wirth Wilson Clarke Rossum Stroustrup Boyd Hejlsberg Goldwasser Lamport Goldberg Milner Kare Hoare Sammet Diffie Conway
Matsumoto Haddad Rahman Siddiqui Mansour Farouk Nair Iyer Kapoor Mehta Chandra Zhang Chen Liu Wang Tanaka Suzuki Sato Kim
Park Lee Okafor Adeyemi Mensah Dlamini Nkosi Diallo García Fernández Rojas Vargas Silva Costa Pereira Almeida Lindqvist
Nygård Sørensen Müller Schäfer Weiß Kowalski Nowak Dubois Lefèvre Moreau Rossi Bianchi Romano Papadopoulos Ivanov Petrova
Yılmaz Demir Murphy Byrne O'Connor Walsh Baker Young Hughes Price Morgan Reid Fraser`.split(/\s+/);

const hosts =
  "gmail.com gmail.com gmail.com outlook.com icloud.com proton.me yahoo.com gmx.de fastmail.com web.de hey.com orange.fr".split(
    " ",
  );
const firms =
  "northwind lumen fieldnotes harbour acorn meridian papermill tidewater kiln juniper cobalt overland".split(
    " ",
  );
const ends = ["co", "org", "io", "net", "studio"];

/** Numbers from 0 to 1 that are the same on every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const plain = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/ß/g, "ss")
    .replace(/[łŁ]/g, "l")
    .replace(/[øØ]/g, "o")
    .replace(/ı/g, "i")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");

/** One person that `taken` does not have yet; every twelfth has no name. */
export function inventPerson(random: () => number, taken: Set<string>) {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  for (;;) {
    const [first, last] = [pick(given), pick(family)];
    const host = random() < 0.72 ? pick(hosts) : `${pick(firms)}.${pick(ends)}`;
    const shapes = [
      `${plain(first)}.${plain(last)}`,
      `${plain(first)}${plain(last)}`,
      `${plain(first).charAt(0)}${plain(last)}`,
      `${plain(first)}${Math.floor(60 + random() * 40)}`,
    ];
    const email = `${pick(shapes)}@${host}`;
    if (taken.has(email)) continue;
    taken.add(email);
    const named = random() > 0.08;
    return { email, firstName: named ? first : "", lastName: named ? last : "" };
  }
}
