import { expect, it } from "vitest";
import { decodeBytes, type Encoding, encodingOf } from "./encodings";
import { guessEncoding } from "./guess-encoding";

/** Encodes text by inverting the decoder over all bytes and byte pairs. */
function encoderTo(id: string): (text: string) => Uint8Array | null {
  const encoding = encodingOf(id);
  const bytes = new Map<string, number[]>();
  const learn = (...written: number[]) => {
    const text = decodeBytes(Uint8Array.from(written), encoding);
    if ([...text].length === 1 && text !== "\ufffd" && !bytes.has(text)) bytes.set(text, written);
  };
  for (let one = 0; one < 256; one++) learn(one);
  if (/jis|euc|gb|big5/.test(id))
    for (let one = 0x81; one < 0xff; one++) for (let two = 0x40; two < 0xff; two++) learn(one, two);
  return (text) => {
    const all: number[] = [];
    for (const character of text) {
      const written = bytes.get(character);
      if (!written) return null;
      all.push(...written);
    }
    return Uint8Array.from(all);
  };
}

const families: Record<string, string[]> = {
  western: ["windows-1252", "macintosh"],
  central: ["windows-1250", "iso-8859-2"],
  romanian: ["windows-1250", "iso-8859-2"],
  turkish: ["windows-1254"],
  cyrillic: ["windows-1251", "koi8-r"],
  japanese: ["shift_jis", "euc-jp"],
  simplified: ["gb18030"],
  traditional: ["big5"],
  korean: ["euc-kr"],
};
// Names that familiar-names.ts doesn't contain.
const corpora = `
western: Kräuter Göbel Büttner Förster Räder Höfer Völker Fröhlich Glöckner Thöne Süßmuth Übel Ärztin Hänsel Röhrig Düring Bösch
western: Lefébure Maëlle Bézier Cécilia Crépin Clément Anaëlle Brûlé Prévost Garçon Aimée Ségur Mélissa Pâris Rémi Clémence Océane Amélie Solène
western: Peñalver Cañete Belén Íñiguez Sáenz Ángela Peláez Méndez Benítez Núria Araña Güemes Fermín Román Míguez Vélez Bolívar Beltrán
western: Simão Damião Eça Antão Mourão Nazaré Tomé Glória Otávio Fabrício Brás Letícia Leão Ângela Estefânia
western: Märit Göte Hjälmar Åström Malmström Håkansson Järvinen Sjödin Bjärne Åslund Nyström Mård Rådberg Väisänen
western: Mærsk Søndergaard Kjærgaard Bjørg Åge Møller Grønkjær Skåne Nygård Rønne Bødker Thorbjørn Lærke Brøgger
turkish: Şebnem Yiğit Çınar Görkem Kağan Işıl Özgün Çağıl Düzgün Şahika Sıla Bağcı Gülşah Tuğrul Üstün Çakır Oğuzhan Yağmur Çağdaş
central: Wałęsa Zająć Kościuszko Grześ Jędrzej Dobrosław Bąk Kępiński Żuraw Łoś Sęk Błaszczykowski Piątek Świderski Słowacki Nałkowska Różewicz Miłosz
central: Bořivoj Přemysl Šebesta Součková Řezáč Ševčíková Tůma Bláha Žďárský Havlíčková Příhoda Křížová Bedřich Jindřich Čestmír Ďurica Hrušková Štěpán
central: Kertész Gergő Hídvégi Pálfi Rákóczi Széchenyi Petőfi Bőske Füst Lővei Dezső Jókai Örkény Szűts Győrfi Ernő Vízi Bartók
central: Ivančić Tomašić Krleža Župan Čović Đukić Šarić Matić Drašković Ružica Šćepan Cvetković Račić Njegoš Bošković Kučan Đurđa Križan
romanian: Brătianu Mureşan Călinescu Văcărescu Rădulescu Pârvu Şerban Dragoş Grigoraş Răzvan Stănescu Blănaru
cyrillic: Виктор Цой Пушкин Толстой Чехов Антон Гоголь Тургенев Булгаков Ахматова Цветаева Пастернак Щербаков Юрьев Жуков
japanese: 田村正和 村上春樹 川端康成 夏目漱石 宮崎駿 黒澤明 小野洋子 坂本龍馬 樋口一葉 吉田松陰 さくら ひろし 松田聖子 石川 太宰治
simplified: 章子怡 刘德华 成龙 巩俐 马云 姚明 李小龙 周润发 郭敬明 韩寒 钱钟书 冰心 余华 王菲 徐志摩 张艺谋
traditional: 周杰倫 蔡英文 林志玲 張惠妹 李安 侯孝賢 馬英九 王力宏 劉若英 陳水扁 鄧麗君 羅大佑 白先勇 余光中 楊德昌 郭台銘
korean: 김연아 손흥민 박지성 이순신 배용준 송혜교 전지현 봉준호 조용필 유재석 강호동 최민식 윤여정 정우성 황정민 안성기 장동건
`
  .trim()
  .split("\n")
  .map((line) => line.split(": ") as [family: string, names: string]);

/** The share of lists with this number of names whose encoding is detected. */
function shareDetected(namesInList: number): number {
  let [lists, right] = [0, 0];
  for (const [family, written] of corpora) {
    for (const id of families[family] ?? []) {
      const encode = encoderTo(id);
      const names = written.split(" ").filter((name) => encode(name));
      for (let at = 0; at + namesInList <= names.length; at += namesInList) {
        const text = names.slice(at, at + namesInList).join(";x@y.org\n");
        const bytes = encode(text) as Uint8Array;
        lists++;
        if (decodeBytes(bytes, guessEncoding(bytes)[0] as Encoding) === text) right++;
      }
    }
  }
  return right / lists;
}

it.each([
  { names: 1, share: 0.9 },
  { names: 2, share: 0.95 },
  { names: 5, share: 0.98 },
])("detects the encoding of $names unknown names in at least $share of lists", ({ names, share }) => {
  expect(shareDetected(names)).toBeGreaterThanOrEqual(share);
});
