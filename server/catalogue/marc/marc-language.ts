/** Each language that has a code of two letters, with the code of three by which libraries name it (ISO 639-2/B). */
const CODES = `
  aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul bibis bmbam
  bnben botib brbre bsbos cacat ceche chcha cocos crcre cscze cuchu cvchv cywel dadan deger dvdiv dzdzo
  eeewe elgre eneng eoepo esspa etest eubaq faper ffful fifin fjfij fofao frfre fyfry gagle gdgla glglg
  gngrn guguj gvglv hahau heheb hihin hohmo hrhrv hthat huhun hyarm hzher iaina idind ieile igibo iiiii
  ikipk ioido isice itita iuiku jajpn jvjav kageo kgkon kikik kjkua kkkaz klkal kmkhm knkan kokor krkau
  kskas kukur kvkom kwcor kykir lalat lbltz lglug lilim lnlin lolao ltlit lulub lvlav mgmlg mhmah mimao
  mkmac mlmal mnmon mrmar msmay mtmlt mybur nanau nbnob ndnde nenep ngndo nldut nnnno nonor nrnbl nvnav
  nynya ococi ojoji omorm orori ososs papan pipli plpol pspus ptpor quque rmroh rnrun rorum rurus rwkin
  sasan scsrd sdsnd sesme sgsag sisin skslo slslv smsmo snsna sosom sqalb srsrp ssssw stsot susun svswe
  swswa tatam tetel tgtgk ththa titir tktuk tntsn toton trtur tstso tttat tytah uguig ukukr ururd uzuzb
  veven vivie vovol wawln wowol xhxho yiyid yoyor zazha zhchi zuzul`;

let codes: Map<string, string> | undefined;

/**
 * The code by which records name a language; `und` for none.
 * @param language as the catalogue has it
 */
export function marcLanguage(language: string | null): string {
  codes ??= new Map(
    CODES.trim()
      .split(/\s+/)
      .map((both) => [both.slice(0, 2), both.slice(2)]),
  );
  return codes.get(language ?? '') ?? (language?.length === 3 ? language : 'und');
}
