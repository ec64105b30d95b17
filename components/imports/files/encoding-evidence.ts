// Typical given names, surnames and column titles, to tell encodings apart. They are frequent in their region. The
// lists need not be complete.

/** By language: words with its letters beyond ASCII. */
const latinWords = [
  "jürgen günter günther müller schröder schäfer groß weiß jörg björn köhler krüger krämer bärbel käthe königin löffler lütke böhm schütz grün größe straße nachträge später köln düsseldorf münchen österreich zürich bäcker jäger sönke götz thürmer häußler süß händel françois andré rené würth möller hübner kühn brüggemann gänsler könig böttcher",
  "rené renée andré hélène françois françoise gérard stéphane stéphanie jérôme benoît anaïs loïc zoé chloé zoë noël joël gaël raphaël mickaël éric élodie émilie élise étienne geneviève thérèse michèle hervé cédric sébastien frédéric céline aurélie mélanie valérie léa théo noé agnès inès béatrice cécile désirée lefèvre bérénice œuvré sœur cœur lœuvre prénom société numéro téléphone côté rôle forêt château gaëtan maïté dupré beaupré bréchet leclère voilà lætitia où août emmaüs haÿ",
  "josé maría garcía martínez rodríguez fernández lópez gonzález sánchez pérez gómez hernández díaz álvarez jiménez ramírez muñoz núñez peña ibáñez ordóñez begoña iñigo íñigo iñaki raúl andrés jesús ángel ángeles óscar lucía sofía andrea inés mónica verónica rocío concepción asunción encarnación ramón julián adrián iván rubén martín joaquín víctor héctor nicolás tomás germán moisés cañas castaño zúñiga año español teléfono dirección compañía agüero güell lluïsa",
  "joão josé antónio antônio luís inês gonçalves gonçalo conceição assunção simões guimarães magalhães brandão leitão araújo sérgio patrícia lúcia fátima cláudia cláudio márcia márcio mário júlia júlio mônica mónica verônica vinícius andré tomás estêvão sebastião falcão galvão são frança mendonça lourenço fonseca câmara açores àquele müller",
  "niccolò nicolò josè carità aloè città mosè giosuè libertà società però più perché così",
  "åsa åke håkan göran björn jörgen sören gösta märta pär mårten måns väinö päivi jyväskylä mäkinen hämäläinen jäntti lindström sjöberg söderberg öberg åberg ångström sjögren löfgren bäckström häkkinen räikkönen förnamn vårdgård hägglund strömberg andré müller",
  "søren jørgen bjørn jørn øystein øyvind ståle håkon pål kåre ærø sørensen jørgensen østergaard nørgaard kjær skjærgård bøe sæther håland hågen åse åshild ingebjørg torbjørn børge køhler bjørnstad ødegård solbjørg fornavn sæbø grønn brønd andré müller bäck björk",
  "guðrún sigurðsson jóhann jóhanna björk þór þóra ólafur sigríður friðrik guðmundur ægir ýr ásta örn pétur",
  "zoë chloë daniël michaël rafaël joël gaël coördinator financiën beëdigd curaçao andré hélène naïef müller",
  "łukasz paweł michał rafał małgorzata żaneta żółć świątek dąbrowska dąbrowski wójcik kamiński wiśniewski wiśniewska zieliński szymański woźniak kozłowski jabłoński krawczyński wróbel wróblewski stępień gałązka gałęcki żak żukowski ćwik śliwa śliwiński źródło łęcki łuczak grażyna elżbieta józef zdzisław stanisław bogusław bronisław mieczysław wiesław władysław mirosław jarosław sławomir przemysław błażej bartłomiej stańczyk pawłowski chrząszcz pająk gołąb gąsior wąsik król góra górski głowacki imię żywiec łódź poznań gdańsk kraków wrocław toruń",
  "jiří dvořák tomáš růžička žaneta šťastná šťastný novák nováková černý černá procházka kučera veselý horák němec pokorný marek pospíšil pospíšilová hájek král růženka růžena jméno příjmení ondřej matěj vojtěch lukáš františek zdeněk luboš miloš aleš jaroslav věra bohuš bořek řezník ďuriš ľubomír ľudmila ľuboš štefan števo šimon špaček žižka žák čech čapek máčel kovář kolář tesař krejčí ševčík bartoš beneš mareš jež kôň mäsiar šárka hanuš dušan božena blažena anežka marián ladič jiřina kateřina úbočí gól stĺp vŕba",
  "zsófia lászló istván józsef sándor jános gábor zoltán attila péter mária erzsébet ágnes éva kálmán árpád béla géza dénes ödön örs győző győr gyűrű erdős kőrösi szűcs szőke szabó kovács tóth molnár balázs bálint márk máté dávid ádám bence dániel réka júlia piroska lőrinc vörös török őri őze ősz űrhajós hegedűs fűzi terék félegyházi körösi köves fehér németh szőllősi tőkés keresztnév vezetéknév kíváncsi ülő",
  "ștefan ştefan ionuț ionuţ mărginean mihăilescu țăran ţăran bălan băsescu pătrașcu pătraşcu gheorghiță gheorghiţă sârbu râșnov dănuț dănuţ cătălin cătălina mădălina mădălin brâncuși brâncuşi constanța constanţa florența florenţa crăciun câmpeanu bîrlea nițu niţu năstase lăcătuș lăcătuşu andré bölöni",
  "petrović jovanović nikolić marković đorđe đorđević đurić žarko živko željko željka šime šimić božidar božo blaž jože boštjan urška špela matjaž žan žiga mojca kovač kovačić horvatić babić jurić perić anđela anđelka vučić milošević dušan milić tadić stanković saša miša maša nataša aleš andrej čedo čolić prešeren ćosić",
  "özgür yıldız yıldırım ayşe şahin çağlar çelik çetin kılıç aydın aydınlı doğan doğru erdoğan tuğba tuğçe çiğdem oğuz oğlu gökçe gökhan göksu gül güler gülşen güneş şükrü süleyman müjde nuray özlem öztürk özkan özdemir ünal ünlü ümit bülent şule şeyma şener eşref işık ışık ışıl yılmaz yalçın kızıl sarı koç taş başak barış savaş uğur hüseyin fırat nazlı soyadı eposta kâmil nîmet",
  "jānis pēteris mārtiņš kārlis bērziņš ozoliņš kalniņš jūratė rūta živilė žemaitė šarūnas ąžuolas čiurlionis ģirts ķeizars ļoti nīgale įmonė mašinų ęsąs",
  "tõnu tõnis jõgi mõttus õnne kõiv põld jürgen ülle mägi köler šokk žanna",
];

/** By script: words from lists. Scripts with many characters have the characters that names use. */
const cyrillicWords =
  "анна иванова иван сергей петров мария ольга елена наталья татьяна александр алексей андрей дмитрий евгений владимир михаил николай павел юрий ирина светлана екатерина анастасия ксения людмила галина смирнов кузнецов попов васильев соколов новиков фёдор фёдоров семён алёна имя фамилия отчество почта адрес дата статус телефон город олександр олена наталія юлія сергій андрій ірина тетяна шевченко коваленко бондаренко мельник кравченко ткаченко їжак євген прізвище георги иванов димитър стоян петър";
const greekWords =
  "γιώργος μαρία ελένη δημήτρης κώστας γιάννης νίκος κατερίνα παπαδόπουλος αθήνα όνομα επώνυμο σοφία βασίλης παναγιώτης χρήστος αναστασία";
const japaneseCharacters =
  "名前姓氏様山田太郎佐藤鈴木高橋中伊渡辺小林加吉村本松井上斎清水崎池阿部森川橋石前藤岡長谷後近青坂遠野福西三浦千葉原久保内島花子美由紀恵子真理智裕明和一二三郎次健誠大輔翔拓也直樹英俊隆幸彦雄介香織奈々優愛結衣陽菜葵蓮悠斗颯電話番号住所会社東京都大阪備考登録日氏名会員件数状態";
const simplifiedCharacters =
  "姓名邮箱电子件地址王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文小明伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛超兰霞平刚桂华建国红玉梅志鹏飞鑫宇浩然欣怡子轩梓涵雨佳琪晨手机电话日期状态订阅公司城市备注女男先生士会员";
const traditionalCharacters =
  "姓名電子郵件信箱地址陳林黃張李王吳劉蔡楊許鄭謝洪郭邱曾廖賴徐周葉蘇莊呂江何蕭羅高潘簡朱鍾彭游詹胡施沈余趙盧梁顏柯翁魏孫戴范方宋鄧杜傅侯曹薛丁卓馬阮董温唐藍石蔣田康鄒白古馮姚連程湯黎小明怡君淑芬美惠雅婷志豪俊傑家豪建宏宗翰冠宇承恩佳穎欣怡宜庭詩涵心怡玲雯芳秀英麗華文雄國強電話日期狀態訂閱公司城市備註女男先生小姐會員";
const koreanCharacters =
  "이름김철수박영희최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지나엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국은준호훈우빈경재상태동건시예수아서연지민하윤채이메일주소전화번호날짜상태회사도시가입일자혜미란숙자순희정은영호성호진우민수현우지훈준서유진수진";

// Points. One sign of a wrong decoding outweighs several signs of a right one.
const WRONG = -6;
const ODD = -3;
const UNFAMILIAR = -0.6;
const FITS = 0.5;
const FAMILIAR = 1.5;
// Names have many rare characters, but also common ones.
const RARE_CHARACTER = -0.7;

const notAscii = /[\u0080-\uffff]/;
const letter = /[\p{L}\p{M}]/u;
const wide = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;
const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /[\u0590-\u0e7f]/u, wide];
// `beside`: typographic characters next to words. `within`: those inside words, as in O’Brien, Gal·la and Mª.
const beside = /[‘“”„«»–—…•№\u00a0\u3000-\u303f\uff00-\uff5e]/;
const within = /[’·ªº]/;
const between = /[\0-@[-`{-~]+/;

/** Frequency of each letter and letter sequence in the familiar words. */
const familiar = new Map<string, number>();
for (const words of [...latinWords, cyrillicWords, greekWords]) {
  for (const word of words.split(" "))
    for (const sequence of sequencesOf(word)) familiar.set(sequence, (familiar.get(sequence) ?? 0) + 1);
}
const alphabets = latinWords.map((words) => new Set(words));
const characters: Record<string, Set<string>> = {
  shift_jis: new Set(japaneseCharacters),
  "euc-jp": new Set(japaneseCharacters),
  gb18030: new Set(simplifiedCharacters),
  big5: new Set(traditionalCharacters),
  "euc-kr": new Set(koreanCharacters),
};

/** Yields sequences of one to three letters with at least one outside ASCII. A word's ends count as letters. */
function* sequencesOf(word: string): Generator<string> {
  const framed = `^${word}$`;
  for (let at = 0; at < framed.length; at++) {
    for (let length = 1; length <= 3 && at + length <= framed.length; length++) {
      const sequence = framed.slice(at, at + length);
      if (notAscii.test(sequence)) yield sequence;
    }
  }
}

/** Scores in points how much the decoded text looks like names. Unknown text scores 0, a wrong decoding less. */
export function evidenceFor(text: string, encoding: string): number {
  let points = 0;
  for (const word of text.split(between)) {
    if (!notAscii.test(word)) continue;
    points += ofCharacters(word) + (wide.test(word) ? ofWide(word, characters[encoding]) : ofLetters(word));
  }
  return points;
}

/** Scores characters that don't belong in a word, or not at that position. */
function ofCharacters(word: string): number {
  let points = scripts.filter((script) => script.test(word)).length > 1 ? WRONG : 0;
  for (let at = 0; at < word.length; at++) {
    const character = word.charAt(at);
    if (!notAscii.test(character) || wide.test(character)) continue;
    const [before, after] = [word.charAt(at - 1), word.charAt(at + 1)];
    if (letter.test(character)) {
      if (isUpper(character) && (isLower(before) || (isUpper(before) && isLower(after)))) points += ODD;
    } else if (within.test(character)) continue;
    else if (!beside.test(character)) points += letter.test(before + after) ? WRONG : ODD;
    else if (letter.test(before) && letter.test(after)) points += ODD;
  }
  return points;
}

const isUpper = (character: string) => character !== character.toLowerCase();
const isLower = (character: string) => character !== character.toUpperCase();

function ofLetters(word: string): number {
  const lower = word.toLowerCase();
  const beyond = [...lower].filter((character) => notAscii.test(character) && letter.test(character));
  if (beyond.length === 0) return 0;
  let points = FITS;
  if (/\p{Script=Latin}/u.test(lower)) {
    if (!alphabets.some((letters) => beyond.every((character) => letters.has(character)))) points = ODD;
    if (/[\u0080-\uffff]{3}/.test(lower)) points += ODD;
  }
  for (const sequence of sequencesOf(lower)) {
    const times = familiar.get(sequence) ?? 0;
    points += times === 0 ? UNFAMILIAR : sequence.length === 1 ? FAMILIAR * Math.log10(times) : FAMILIAR;
  }
  return points;
}

function ofWide(word: string, known: Set<string> | undefined): number {
  let points = 0;
  for (const character of word) {
    if (!wide.test(character)) continue;
    if (known?.has(character)) points += FAMILIAR;
    else points += /[\u3041-\u30ff]/.test(character) && known?.has("名") ? FITS : RARE_CHARACTER;
  }
  return points;
}
