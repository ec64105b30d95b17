/** Lists in other encodings, as iconv writes them: encoding, text (with LF), its bytes as base64. */
export const encodedLists: readonly (readonly [encoding: string, text: string, bytes: string])[] = [
  [
    "windows-1252",
    "Name;Mail\nJürgen Groß;j@windows-1252.navy.mil\nRenée Œuvré;r@windows-1252.navy.mil\nBegoña Núñez;b@windows-1252.navy.mil\n",
    "TmFtZTtNYWlsDQpK/HJnZW4gR3Jv3ztqQHdpbmRvd3MtMTI1Mi5uYXZ5Lm1pbA0KUmVu6WUgjHV2cuk7ckB3aW5kb3dzLTEyNTIubmF2eS5taWwNCkJlZ2/xYSBO+vFlejtiQHdpbmRvd3MtMTI1Mi5uYXZ5Lm1pbA0K",
  ],
  [
    "windows-1250",
    "imię;e-mail\nŁukasz Żółć;l@windows-1250.navy.mil\nJiří Růžička;j@windows-1250.navy.mil\nGergő Szűts;g@windows-1250.navy.mil\n",
    "aW1p6jtlLW1haWwNCqN1a2FzeiCv87PmO2xAd2luZG93cy0xMjUwLm5hdnkubWlsDQpKafjtIFL5nmnoa2E7akB3aW5kb3dzLTEyNTAubmF2eS5taWwNCkdlcmf1IFN6+3RzO2dAd2luZG93cy0xMjUwLm5hdnkubWlsDQo=",
  ],
  [
    "iso-8859-2",
    "imię;e-mail\nŁukasz Żółć;l@iso-8859-2.navy.mil\nPaweł Świątek;p@iso-8859-2.navy.mil\nTomáš Žák;t@iso-8859-2.navy.mil\n",
    "aW1p6jtlLW1haWwNCqN1a2FzeiCv87PmO2xAaXNvLTg4NTktMi5uYXZ5Lm1pbA0KUGF3ZbMgpndpsXRlaztwQGlzby04ODU5LTIubmF2eS5taWwNClRvbeG5IK7hazt0QGlzby04ODU5LTIubmF2eS5taWwNCg==",
  ],
  [
    "windows-1251",
    "имя;e-mail\nАнна Иванова;a@windows-1251.navy.mil\nСергій Ткаченко;s@windows-1251.navy.mil\n",
    "6Oz/O2UtbWFpbA0KwO3t4CDI4uDt7uLgO2FAd2luZG93cy0xMjUxLm5hdnkubWlsDQrR5fDjs+kg0urg9+Xt6u47c0B3aW5kb3dzLTEyNTEubmF2eS5taWwNCg==",
  ],
  [
    "windows-1254",
    "ad;e-posta\nAyşe Yıldız;a@windows-1254.navy.mil\nİbrahim Çağlar;i@windows-1254.navy.mil\nGökhan Şen;g@windows-1254.navy.mil\n",
    "YWQ7ZS1wb3N0YQ0KQXn+ZSBZ/Wxk/Xo7YUB3aW5kb3dzLTEyNTQubmF2eS5taWwNCt1icmFoaW0gx2HwbGFyO2lAd2luZG93cy0xMjU0Lm5hdnkubWlsDQpH9mtoYW4g3mVuO2dAd2luZG93cy0xMjU0Lm5hdnkubWlsDQo=",
  ],
  [
    "iso-8859-15",
    "prénom;mél\nÉlodie Lœuvre;e@iso-8859-15.navy.mil\nBenoît Œuvrard;b@iso-8859-15.navy.mil\n",
    "cHLpbm9tO23pbA0KyWxvZGllIEy9dXZyZTtlQGlzby04ODU5LTE1Lm5hdnkubWlsDQpCZW5v7nQgvHV2cmFyZDtiQGlzby04ODU5LTE1Lm5hdnkubWlsDQo=",
  ],
  [
    "macintosh",
    "Prénom,Mail\nRenée Müller,r@macintosh.navy.mil\nJürgen Groß,j@macintosh.navy.mil\nSøren Ångström,s@macintosh.navy.mil\n",
    "UHKObm9tLE1haWwNUmVujmUgTZ9sbGVyLHJAbWFjaW50b3NoLm5hdnkubWlsDUqfcmdlbiBHcm+nLGpAbWFjaW50b3NoLm5hdnkubWlsDVO/cmVuIIFuZ3N0cpptLHNAbWFjaW50b3NoLm5hdnkubWlsDQ==",
  ],
  [
    "shift_jis",
    "名前,メール\n山田太郎,y@shift-jis.navy.mil\n佐藤花子,s@shift-jis.navy.mil\n",
    "lryRTyyDgYFbg4sNCo5Sk2ORvphZLHlAc2hpZnQtamlzLm5hdnkubWlsDQqNspOhidSOcSxzQHNoaWZ0LWppcy5uYXZ5Lm1pbA0K",
  ],
  [
    "euc-jp",
    "名前,メール\n山田太郎,y@euc-jp.navy.mil\n佐藤花子,s@euc-jp.navy.mil\n",
    "zL7BsCyl4aG8pesKu7PFxMLAz7oseUBldWMtanAubmF2eS5taWwKurTGo7LWu9Isc0BldWMtanAubmF2eS5taWwK",
  ],
  [
    "gb18030",
    "姓名,邮箱\n王小明,w@gb18030.navy.mil\n李娜,l@gb18030.navy.mil\n张𠮷,z@gb18030.navy.mil\n",
    "0NXD+yzTys/kDQrN9dChw/csd0BnYjE4MDMwLm5hdnkubWlsDQrA7sTILGxAZ2IxODAzMC5uYXZ5Lm1pbA0K1cWVNLI1LHpAZ2IxODAzMC5uYXZ5Lm1pbA0K",
  ],
  [
    "big5",
    "姓名,電子郵件\n王小明,w@big5.navy.mil\n陳怡君,c@big5.navy.mil\n許功蓋,h@big5.navy.mil\n",
    "qW2mVyy5caRstmyl8w0KpP2kcKn6LHdAYmlnNS5uYXZ5Lm1pbA0Ks6+pyadnLGNAYmlnNS5uYXZ5Lm1pbA0Ks1ylXLtcLGhAYmlnNS5uYXZ5Lm1pbA0K",
  ],
  [
    "euc-kr",
    "이름,이메일\n김철수,k@euc-kr.navy.mil\n박영희,p@euc-kr.navy.mil\n",
    "wMy4pyzAzLjewM8NCrHow7a89ixrQGV1Yy1rci5uYXZ5Lm1pbA0Kudq/tcjxLHBAZXVjLWtyLm5hdnkubWlsDQo=",
  ],
  [
    "windows-1253",
    "όνομα;e-mail\nΜαρία Παπαδοπούλου;m@windows-1253.navy.mil\nΓιώργος Νικολάου;g@windows-1253.navy.mil\n",
    "/O3v7OE7ZS1tYWlsDQrM4fHf4SDQ4fDh5O/w7/3r7/U7bUB3aW5kb3dzLTEyNTMubmF2eS5taWwNCsPp/vHj7/Igzenq7+vc7/U7Z0B3aW5kb3dzLTEyNTMubmF2eS5taWwNCg==",
  ],
  [
    "koi8-r",
    "имя;почта\nАнна Иванова;a@koi8-r.navy.mil\nСергей Петров;s@koi8-r.navy.mil\n",
    "yc3RO9DP3tTBCuHOzsEg6dfBzs/XwTthQGtvaTgtci5uYXZ5Lm1pbArzxdLHxcog8MXU0s/XO3NAa29pOC1yLm5hdnkubWlsCg==",
  ],
  [
    "windows-1257",
    "name;email\nJānis Bērziņš;j@windows-1257.navy.mil\nKārlis Ozoliņš;k@windows-1257.navy.mil\n",
    "bmFtZTtlbWFpbA0KSuJuaXMgQudyemny8DtqQHdpbmRvd3MtMTI1Ny5uYXZ5Lm1pbA0KS+JybGlzIE96b2xp8vA7a0B3aW5kb3dzLTEyNTcubmF2eS5taWwNCg==",
  ],
];
