/** Words in the languages that people ask in: beginnings of words, and parts of text in scripts without spaces. */
interface Words {
  readonly begin: string;
  readonly within: string;
}

const nouns: Words = {
  begin:
    "caus[ae]|reasons?(?!\\p{L})|culprit|origins?(?!\\p{L})|blame|ursache|verursach|ausl[öo]s|schuld|raisons?(?!\\p{L})|origine|coupable|culpa|motivo|origen|origem|oorzaak|orsak|przyczyn|причин|виноват|neden(?!\\p{L})|sebep",
  within: "原因|根因|元凶|원인|سبب|कारण|वजह",
};
const conjunctions: Words = {
  begin: "because|due to|weil|wegen|parce qu|porque|debido|devido|perché|omdat|eftersom|ponieważ|из-за|потому|yüzünden",
  within: "因为|因為|导致|導致|造成|ため|せい|때문",
};
const denials: Words = {
  begin:
    "(?:not|no|never|\\w+n['’]t|cannot|wrong|incorrect|mistaken|nicht|kein\\w*|falsch|pas|jamais|faux|nunca|non|não|nem|niet|geen|inte|nie|не|нет|неверно|değil)(?!\\p{L})",
  within: "不|没|沒|错|錯|ない|아니|않|ليس|नहीं",
};

const oneOf = (...all: readonly Words[]): string =>
  `(?:(?<!\\p{L})(?:${all.map(({ begin }) => begin).join("|")})|${all.map(({ within }) => within).join("|")})`;

const aboutCause = new RegExp(oneOf(nouns, conjunctions), "iu");
const cause = new RegExp(oneOf(nouns), "iu");
/** A denial shortly before what it denies, or right after it. */
const denied = new RegExp(
  `${oneOf(denials)}[^.,;:!?]{0,20}?${oneOf(nouns)}|${oneOf(nouns)}[^.,;:!?\\s]{0,8}\\s?${oneOf(denials)}`,
  "iu",
);

/** What a sentence does with causes: names one, denies one, gives a reason for something, or nothing of it. */
export type CauseSpeech = "names" | "denies" | "reasons" | null;

/** Reads from a sentence's words whether it speaks of a cause. */
export function causeSpeech(sentence: string): CauseSpeech {
  if (!aboutCause.test(sentence)) return null;
  if (denied.test(sentence)) return "denies";
  return cause.test(sentence) ? "names" : "reasons";
}
