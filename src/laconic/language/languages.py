"""The most common function words of English and of other languages written in Latin letters.

A word of several languages is in the list of each. Single letters are in no list.
"""

from __future__ import annotations

from typing import Final

#: Words that identify English, and words of the other lists that are also English words.
ENGLISH: Final = frozenset(
    """
    the of and to in is was for that on with as at by it be are this from or an not have has had he she they we you
    his her their its our your my me him them us were been being but which who whom whose what when where why how
    there here if then than so such no nor yes can could will would shall should may might must do does did done doing
    don doesn didn isn aren wasn weren won hasn haven couldn wouldn shouldn ll ve into over under out up down off
    about after before between through during without within because while until since although though however whether
    these those some any all each every both either neither one two three first last new more most much many other
    another same only just also even still again very too now never always often like get got make made go going went
    come came see say said says use used using set add else return per via let need want know take please thank thanks
    good great best way time day year people man men old long well back work high own die war hat am gut tag rat son
    sin ten hen far sans plus pour main era fin solo mas van den hers ale pan pod jest ate ton mine mind art bad band
    fort halt hand land arm ring wind rang sort kind lang fast bis des sic este bur pal pas tu ad et al ex non sed est
    ergo cum ego ut si sub pro vice versa etc vs id ie eg oh ah ha um ok dove sea sale fare dire bus hi care co sense
    com pre word sit wake num op bet par fi bio hay mint bare ali jim sam mon tom vain dont hoc yo na ya im au ca lo
    cosa bar till gift barn ding door dan met bent
    """.split()
)

#: Function words that occur in names, and so in English text: they are weaker evidence.
NAME_PARTS: Final = frozenset(
    """
    de la le les los las el del der den dem das van von zu du des di da dos do della al te ter bin ben una san und et
    """.split()
)

#: Words of other languages, by the code of a language in which they are common.
FOREIGN: Final[dict[str, frozenset[str]]] = {
    code: frozenset(word for word in words.split() if len(word) > 1)
    for code, words in {
        "de": """
            der die das und ist nicht ein eine einen einem einer eines ich sie wir ihr mit auf für von dem den des zu
            im auch sich als wie aber oder wenn dass daß werden wird wurde wurden haben hat hatte sein sind war waren
            kann können muss müssen soll noch nur nach bei aus durch über unter gegen zwischen diese dieser dieses
            mehr sehr schon immer hier dort weil uns ihre seine keine kein man vom zum zur beim sowie bereits ohne
            bitte morgen heute gibt gestern ihrem ihren seinem seinen unser unsere etwas alle am
        """,
        "nl": """
            de der den het een van en dat niet zijn is op te voor met die ook aan bij maar naar uit door nog wordt
            worden werd heeft hebben had kan kunnen moet moeten zou zal ik jij hij zij wij jullie hun deze dit daar
            hier wat waar omdat als dan meer veel geen zonder tussen onder over tegen onze uw je ze zich tot om
        """,
        "af": "nie het vir wat dit hulle ons jy sy hy word kan moet ook maar baie hierdie daar deur aan was wees",
        "fr": """
            le la les un une des du et est pas que qui dans pour par sur avec sont ne ce cette ces il elle ils elles
            nous vous on au aux plus mais ou où son sa ses leur leurs être avoir été fait comme tout tous toute très
            aussi même sans sous entre chez donc alors après avant depuis pendant parce quand si bien peut faut ont
            était qu cela ça mes mon ma votre vos notre nos encore déjà ainsi lors dont jamais rien beaucoup je tu
        """,
        "es": """
            de del al que el la los las un una unos unas no se con por para como más pero sus su este esta estos estas
            ese esa es son está están fue fueron ser ha han había hay lo le les nos si sí ya muy también sobre entre
            cuando donde desde hasta sin todo todos toda todas porque qué cómo ella ellos nosotros usted yo mi tu otro
            otra otros puede pueden tiene tienen durante según cada hace mientras aunque ahora después
        """,
        "pt": """
            de do da dos das que não uma um os as com por para como mais mas seu sua seus suas este esta isso isto ser
            é são foi foram tem têm está estão ao aos à às pelo pela no na nos nas já também sobre entre quando onde
            desde até sem todo todos toda porque ele ela eles elas nós você eu meu minha muito há ou num numa depois
            ainda pode podem
        """,
        "it": """
            di del della da al che non un una uno gli il lo la le dei delle degli nel nella nei nelle dal dalla con
            per come più ma anche se si sono è era erano essere ha hanno aveva questo questa questi queste quello
            quella suo sua loro ci mi ti vi già molto tutto tutti dove quando perché però ancora dopo prima senza
            sotto tra fra fino alla allo alle agli ai sul sulla dell nell dall sull quell io noi lui lei può cui poi
            cosa
        """,
        "ca": """
            de la el que els les una uns amb per però és són va van ha han aquest aquesta aquests aquestes com més
            seva seu seus dels del al als també quan on sense entre tot tots molt ja hi ho no ens està estan ser sobre
            fins després
        """,
        "ro": """
            și să nu că este sunt a au fost fi pe la cu din în pentru mai sau dar care ce acest această acesta prin
            după fără între dintre foarte când unde cum toate toți lui ei lor sa său am ai are era erau va vor ca de o
            un
        """,
        "sv": """
            de den och att det som en ett är på av för med inte har till om jag han hon vi kan från var ska skulle men
            så eller när där här vad efter under över vid också mycket alla andra denna detta dessa sin sitt sina hade
            blev blir bara utan mellan ingen inget något några vår våra din ditt nu måste får
        """,
        "da": """
            de den og at det som en et er på af for med ikke har til om jeg han hun vi kan fra var skal ville men så
            eller når hvor her der hvad efter under over ved også meget alle andre denne dette disse sin sit sine
            havde blev bliver kun uden mellem ingen noget nogle vores din mit mig os dem jer nu må får været
        """,
        "nb": """
            de den og at det som en et ei er på av for med ikke har til om jeg han hun vi kan fra var skal ville men
            så eller når hvor her der hva etter under over ved også mye alle andre denne dette disse sin sitt sine
            hadde ble blir bare uten mellom ingen noe noen vår våre din ditt meg oss dem nå må får vært eg ikkje dei
            frå kva
        """,
        "is": """
            og að það sem er ekki við fyrir til með um hann hún þeir þau þetta eru var voru ég þú en því hefur frá
            eftir
        """,
        "fi": """
            ja on ei että se hän oli ovat olla mutta kun kuin myös tai jos niin sen sitä joka jotka jossa mitä mikä
            tämä tämän nämä ne niitä minä sinä me te he en et ole olen ollut vain vielä jo nyt kanssa mukaan jälkeen
            ennen kaikki hyvin sekä siitä siellä täällä koska vaan eikä voi voivat pitää
        """,
        "et": """
            ja on ei et see ta oli kui ka või aga mis kes ning ma sa me nad selle seda need oma veel juba siis pärast
        """,
        "hu": """
            és hogy nem az egy is ez volt van meg már csak még de ha mint vagy aki ami amely azt ezt minden nagyon
            lesz voltak vannak kell lehet után előtt között alatt szerint mert akkor itt ott nincs sem ki fel el be
        """,
        "pl": """
            nie się że jest na do to jak za po co ale od przez dla przy czy być był była było były są ma mają może
            który która które którzy tego tym tej ten ta te tak już tylko jego jej ich także oraz albo bardzo kiedy
            gdzie jeszcze przed między podczas bez ponieważ jako mnie nas nam wszystko został została ze
        """,
        "cs": """
            že se na je to do jako ale si za po co tak jak pro při od byl byla bylo byli jsou jsem jsme být má mají
            může který která které kteří toho tom tím ten ta tyto také nebo jen už velmi kdy kde ještě před mezi bez
            protože podle aby když až jeho její jejich však není nejsou ve ze ke
        """,
        "sk": """
            že sa na je to do ako ale si za po čo tak pre pri od bol bola bolo boli sú som sme byť má majú môže ktorý
            ktorá ktoré ktorí toho tom tým ten tá tieto tiež alebo len už veľmi kedy kde ešte pred medzi bez pretože
            podľa aby keď až jeho jej ich však nie vo zo
        """,
        "hr": """
            je da se na su za od do kao ali ili što koji koja koje nije nisu bio bila bilo biti sam smo ste će bi sa
            iz po kod pri ne to taj ta ovaj ova ovo njegov njihov sve još već samo kad gdje gde zbog između prije pre
            posle nakon također takođe može mogu ima imaju ga mu ju im ih
        """,
        "sl": """
            je da se na so za od do kot ali ki ni bil bila bilo biti sem smo bo bi iz po pri ne to ta tudi še že samo
            ko kje zaradi med pred kako vse lahko ima imajo ga mu jo jim ter kjer pa če čez
        """,
        "lt": """
            ir yra kad tai bet ne su iš per kaip nuo į jis ji jie buvo bus būti kuris kuri taip arba dar po už prie
            jau
        """,
        "lv": "un ir ka ar no uz par kas bet nav vai tas tā šis bija būs būt viņš viņa kā pēc jau arī tikai savu",
        "tr": """
            bir ve bu da de için ile çok daha olarak olan gibi kadar sonra önce ne mi mı değil var yok ama veya ise
            her ben sen biz siz onlar ki en göre tarafından bunu şu nasıl neden oldu olduğu etti üzerinde
        """,
        "az": "bir və bu ilə üçün olan kimi daha çox sonra var yox deyil də ki onun bunu idi edir",
        "id": """
            yang dan di dengan untuk ini itu dari dalam adalah tidak pada akan oleh juga sudah telah bisa dapat saya
            kami kita mereka dia anda ada karena atau seperti sebagai lebih bahwa tetapi setelah antara ke para hanya
            tersebut mana apa siapa bagaimana boleh lagi ialah tahun
        """,
        "tl": """
            ang ng mga sa na ay at ito hindi siya sila kami kayo ako ikaw para kung ngunit dahil mula lang pa din rin
            may
        """,
        "sw": """
            ya wa na kwa ni katika la za kuwa hii huo hiyo hilo lakini kama yake wake wao sana pia baada ambayo ambao
        """,
        "vi": "và của là có không được trong cho với các một những người này đã đến từ như khi để về tôi ra cũng sẽ",
        "sq": "dhe në një të nuk është me për nga që ka janë por si ky kjo këtë më shumë edhe ose kur se i do",
        "eu": "eta da ez dira zuen egin dute dela baina ere hau hori bere izan behar baino baita oso zen ziren",
        "la": "et est non ut ad cum sed quod qui quae ex sunt si esse enim atque ab per aut nec quam etiam hoc eius",
        "eo": "kaj la estas ne de por kun sed kiu kio tio li ŝi ili ni vi estis en sur al ke pli tre",
        "ht": "yo ak nan ki pou pa li te gen sa men se nou ou mwen anpil tout kote lè",
    }.items()
}

#: English loanwords with letters that English otherwise does not use.
LOANS: Final = frozenset(
    """
    café cafés cliché clichés résumé naïve façade fiancé fiancée décor entrée entrées protégé soufflé crème brûlée purée
    sauté sautéed crêpe crêpes déjà voilà über jalapeño jalapeños piñata señor señora touché exposé rosé pâté risqué
    matinée émigré coördinate coöperate naïveté à vis première élite rôle fête étude piqué doppelgänger
    """.split()
)
