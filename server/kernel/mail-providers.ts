// Names that have a national domain under each of these endings.
const branches = {
  yahoo: `com co.uk co.in co.id co.jp co.kr co.nz co.th co.za co.il com.ar com.au com.br com.cn com.co com.hk com.mx com.my
    com.pe com.ph com.sg com.tr com.tw com.ve com.vn at be ca ch cl cn cz de dk es fi fr gr hu ie in it jp nl no pl pt ro se`,
  hotmail: `com co.uk co.id co.il co.jp co.kr co.nz co.th co.za com.ar com.au com.br com.hk com.mx com.tr com.tw com.vn at be
    ca ch cl cz de dk es fi fr gr hu ie it jp lt lv my nl no ph rs se sg sk`,
  outlook: `com co.id co.il co.nz co.th com.ar com.au com.br com.gr com.pe com.tr com.vn at be bg cl cz de dk es fr hu ie in it
    jp kr lv my ph pt ro sa sg sk`,
  live: `com co.kr co.uk co.za com.ar com.au com.mx com.my com.ph com.pt com.sg at be ca ch cl cn de dk fi fr hk ie in it jp
    nl no ru se`,
  msn: "com cn co.uk",
  gmx: "com net de at ch fr us eu li info org biz es it pt ph sg tm ie co.uk",
  aol: "com co.uk de fr it es nl be at ch se dk fi pl ca in jp com.au com.br com.mx com.ar",
  protonmail: "com ch",
  tutanota: "com de",
  yandex: "ru com ua by kz com.tr",
  zohomail: "com eu in",
  orange: "fr es pl ro sk be com net",
  vodafone: "de it es nl com pt gr ie hu ro cz co.uk com.tr",
  wanadoo: "fr es nl be",
  tiscali: "it co.uk cz",
  tele2: "se it nl at",
  telia: "com se ee",
  telenor: "no dk se",
  chello: "at nl be hu pl sk cz se no fr",
  upcmail: "nl hu cz ie",
  "t-online": "de hu",
  telefonica: "net de es",
  interia: "pl eu",
  onet: "pl eu com.pl",
  centrum: "cz sk",
  terra: "com.br es com com.mx cl",
  sapo: "pt ao",
  bigpond: "com net.au com.au",
  freenet: "de",
} as const;

const others = `gmail.com googlemail.com ymail.com rocketmail.com windowslive.com icloud.com me.com mac.com aim.com proton.me pm.me
  tuta.io tuta.com tutamail.com fastmail.com fastmail.fm hey.com zoho.com mail.com email.com web.de arcor.de posteo.de
  mailbox.org online.de kabelmail.de bluewin.ch sunrise.ch hispeed.ch aon.at free.fr laposte.net sfr.fr neuf.fr bbox.fr
  numericable.fr libero.it virgilio.it alice.it tin.it tim.it fastwebnet.it inwind.it uol.com.br bol.com.br globo.com
  ig.com.br prodigy.net.mx telenet.be skynet.be proximus.be ziggo.nl kpnmail.nl planet.nl xs4all.nl home.nl hetnet.nl
  casema.nl bredband.net comhem.se spray.se online.no wp.pl o2.pl op.pl poczta.fm tlen.pl gazeta.pl seznam.cz email.cz
  volny.cz azet.sk zoznam.sk freemail.hu citromail.hu indamail.hu abv.bg mail.bg siol.net net.hr otenet.gr mail.ru ya.ru
  bk.ru list.ru inbox.ru inbox.lv rambler.ru ukr.net i.ua meta.ua mynet.com walla.co.il qq.com 163.com 126.com yeah.net
  139.com sina.com sina.cn sohu.com foxmail.com aliyun.com naver.com hanmail.net daum.net nate.com kakao.com docomo.ne.jp
  ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp rediffmail.com comcast.net verizon.net att.net sbcglobal.net
  bellsouth.net cox.net charter.net earthlink.net optonline.net optimum.net juno.com netzero.net roadrunner.com
  frontier.com windstream.net centurylink.net shaw.ca rogers.com sympatico.ca bell.net telus.net videotron.ca cogeco.ca
  optusnet.com.au iinet.net.au westnet.com.au xtra.co.nz btinternet.com sky.com virginmedia.com virgin.net talktalk.net
  ntlworld.com blueyonder.co.uk o2.co.uk eircom.net mweb.co.za telkomsa.net`;

/**
 * The largest mailbox providers. Their domains are known to be correct, so typos are compared with them. Many people of
 * one newsletter use them, so the daily budget per domain does not apply to them.
 */
export const mailProviders = [
  ...others.split(/\s+/),
  ...Object.entries(branches).flatMap(([name, endings]) =>
    endings.split(/\s+/).map((ending) => `${name}.${ending}`),
  ),
];
