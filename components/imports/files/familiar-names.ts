// Typical given names, surnames and column titles, to tell encodings apart. They are frequent in their region. The
// lists need not be complete.

/** By language: words with its letters beyond ASCII. */
export const latinWords = [
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
export const cyrillicWords =
  "анна иванова иван сергей петров мария ольга елена наталья татьяна александр алексей андрей дмитрий евгений владимир михаил николай павел юрий ирина светлана екатерина анастасия ксения людмила галина смирнов кузнецов попов васильев соколов новиков фёдор фёдоров семён алёна имя фамилия отчество почта адрес дата статус телефон город олександр олена наталія юлія сергій андрій ірина тетяна шевченко коваленко бондаренко мельник кравченко ткаченко їжак євген прізвище георги иванов димитър стоян петър";
export const greekWords =
  "γιώργος μαρία ελένη δημήτρης κώστας γιάννης νίκος κατερίνα παπαδόπουλος αθήνα όνομα επώνυμο σοφία βασίλης παναγιώτης χρήστος αναστασία";
export const japaneseCharacters =
  "名前姓氏様山田太郎佐藤鈴木高橋中伊渡辺小林加吉村本松井上斎清水崎池阿部森川橋石前藤岡長谷後近青坂遠野福西三浦千葉原久保内島花子美由紀恵子真理智裕明和一二三郎次健誠大輔翔拓也直樹英俊隆幸彦雄介香織奈々優愛結衣陽菜葵蓮悠斗颯電話番号住所会社東京都大阪備考登録日氏名会員件数状態";
export const simplifiedCharacters =
  "姓名邮箱电子件地址王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文小明伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛超兰霞平刚桂华建国红玉梅志鹏飞鑫宇浩然欣怡子轩梓涵雨佳琪晨手机电话日期状态订阅公司城市备注女男先生士会员";
export const traditionalCharacters =
  "姓名電子郵件信箱地址陳林黃張李王吳劉蔡楊許鄭謝洪郭邱曾廖賴徐周葉蘇莊呂江何蕭羅高潘簡朱鍾彭游詹胡施沈余趙盧梁顏柯翁魏孫戴范方宋鄧杜傅侯曹薛丁卓馬阮董温唐藍石蔣田康鄒白古馮姚連程湯黎小明怡君淑芬美惠雅婷志豪俊傑家豪建宏宗翰冠宇承恩佳穎欣怡宜庭詩涵心怡玲雯芳秀英麗華文雄國強電話日期狀態訂閱公司城市備註女男先生小姐會員";
export const koreanCharacters =
  "이름김철수박영희최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지나엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국은준호훈우빈경재상태동건시예수아서연지민하윤채이메일주소전화번호날짜상태회사도시가입일자혜미란숙자순희정은영호성호진우민수현우지훈준서유진수진";
