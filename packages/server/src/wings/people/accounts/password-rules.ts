import { isCommonPassword } from './common-passwords.ts'
import { limits } from './limits.ts'

const { minLength, maxLength } = limits.password
const serviceName = 'svc'
/** A shorter word is in half of all good passwords. */
const shortestWord = 3

/**
 * What is wrong with a new password, by NIST SP 800-63B: too short, too long, much used, or little more than what
 * everybody knows of its holder. No rule asks for digits or signs.
 */
export async function passwordProblem(password: string, email: string): Promise<string | undefined> {
  const text = password.normalize('NFKC')
  const length = [...text].length
  if (length < minLength) return `A password has at least ${minLength} characters.`
  if (length > maxLength) return `A password has up to ${maxLength} characters.`
  if (await isCommonPassword(text)) return 'This is one of the most used passwords. Choose another one.'
  const [localPart = '', domain = ''] = email.split('@')
  if (isLittleMoreThan([email, localPart, domain], text))
    return 'This is little more than your e-mail address. Choose another one.'
  if (isLittleMoreThan([serviceName], text))
    return 'This is little more than the name of this service. Choose another one.'
  return undefined
}

/** Whether less than a password's length is left once the words are taken out. */
function isLittleMoreThan(words: readonly string[], text: string): boolean {
  const lower = text.toLowerCase()
  const known = words.map((word) => word.toLowerCase()).filter((word) => word.length >= shortestWord)
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), lower)
  return rest.length < lower.length && [...rest].length < minLength
}
