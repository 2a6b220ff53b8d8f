/**
 * A name as it is stored: letters in the normal form NFC, spaces of any kind and number as one, none at its ends. So no
 * two names differ by what nobody sees.
 */
export const oneName = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()

/**
 * Whether a text is one line without invisible characters.
 * Joiners and variation selectors are allowed in emoji and in scripts that need them, because they are visible there.
 */
export function isVisible(name: string): boolean {
  if (/^[ -~]*$/.test(name)) return true
  const visible = name.replaceAll(
    /(?<=[^\0-\x7f])(?:\u200d(?=[^\0-\x7f])|\u200c(?=\p{L})|\ufe0f)|\ufe0f(?=\u20e3)/gu,
    '',
  )
  return !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(visible)
}
