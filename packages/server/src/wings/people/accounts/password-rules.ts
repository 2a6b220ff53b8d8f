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
  if (length < minLength) return `Must have at least ${minLength} characters.`
  if (length > maxLength) return `Must have at most ${maxLength} characters.`
  if (await isCommonPassword(text)) return 'Must not be one of the most common passwords.'
  const [localPart = '', domain = ''] = email.split('@')
  if (isLittleMoreThan([email, localPart, domain], text)) return 'Must not be little more than your e-mail address.'
  if (isLittleMoreThan([serviceName], text)) return 'Must not be little more than the name of this service.'
  return undefined
}

/** Whether less than a password's length is left once the words are taken out. */
function isLittleMoreThan(words: readonly string[], text: string): boolean {
  const lower = text.toLowerCase()
  const known = words.map((word) => word.toLowerCase()).filter((word) => word.length >= shortestWord)
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), lower)
  return rest.length < lower.length && [...rest].length < minLength
}
