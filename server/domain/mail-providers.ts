/**
 * Where most people have their mailboxes. Each is known good, and what a slip of the hand is measured against; as many
 * people of one newsletter may have theirs there, no daily budget holds for one.
 */
export const mailProviders =
  `gmail.com googlemail.com yahoo.com yahoo.co.uk yahoo.co.in yahoo.co.jp yahoo.com.br yahoo.com.ar
  yahoo.com.mx yahoo.com.au yahoo.ca yahoo.fr yahoo.de yahoo.it yahoo.es ymail.com rocketmail.com hotmail.com hotmail.co.uk
  hotmail.fr hotmail.de hotmail.it hotmail.es hotmail.ca hotmail.be hotmail.nl hotmail.com.br hotmail.com.ar outlook.com
  outlook.de outlook.fr outlook.es outlook.it outlook.be outlook.com.br outlook.com.au live.com live.co.uk live.fr live.de
  live.nl live.it live.be live.ca live.com.au live.se live.dk live.no msn.com windowslive.com icloud.com me.com mac.com
  aol.com aol.co.uk aol.de aol.fr aim.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.io
  fastmail.com fastmail.fm hey.com zoho.com mail.com email.com gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.fr web.de
  t-online.de freenet.de arcor.de posteo.de mailbox.org online.de vodafone.de kabelmail.de bluewin.ch sunrise.ch hispeed.ch
  chello.at aon.at orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr numericable.fr libero.it virgilio.it
  alice.it tiscali.it tin.it telefonica.net terra.com.br uol.com.br bol.com.br globo.com ig.com.br sapo.pt telenet.be
  skynet.be proximus.be ziggo.nl kpnmail.nl planet.nl xs4all.nl home.nl hetnet.nl casema.nl telia.com bredband.net
  comhem.se online.no wp.pl o2.pl onet.pl op.pl interia.pl seznam.cz centrum.cz email.cz volny.cz azet.sk freemail.hu
  citromail.hu abv.bg mail.bg mail.ru yandex.ru yandex.com ya.ru bk.ru list.ru inbox.ru rambler.ru ukr.net i.ua mynet.com
  qq.com 163.com 126.com sina.com sohu.com foxmail.com naver.com hanmail.net daum.net nate.com docomo.ne.jp ezweb.ne.jp
  softbank.ne.jp rediffmail.com comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net
  earthlink.net optonline.net juno.com roadrunner.com shaw.ca rogers.com sympatico.ca telus.net videotron.ca bigpond.com
  bigpond.net.au optusnet.com.au iinet.net.au xtra.co.nz btinternet.com sky.com virginmedia.com talktalk.net ntlworld.com
  blueyonder.co.uk tiscali.co.uk o2.co.uk eircom.net mweb.co.za telkomsa.net`.split(/\s+/);
