import { isCommonPassword } from './common-passwords.ts'
import { limits } from './limits.ts'

const { minLength, maxLength } = limits.password
const serviceName = 'svc'
/** A shorter word is part of half of all good passwords. */
const shortestWord = 3

/**
 * What is wrong with a new password according to NIST SP 800-63B: it is too short, too long, common, or little more
 * than public facts about its owner. No rule requires digits or symbols.
 */
export async function passwordProblem(password: string, email: string): Promise<string | undefined> {
  const text = password.normalize('NFKC')
  const length = [...text].length
  if (length < minLength) return `Must have at least ${minLength} characters.`
  if (length > maxLength) return `Must have at most ${maxLength} characters.`
  if (await isCommonPassword(text)) return 'Must not be one of the most common passwords.'
  const [localPart = '', domain = ''] = email.split('@')
  if (isLittleMoreThan([email, localPart, domain], text)) return mustHaveBesides('your e-mail address')
  if (isLittleMoreThan([serviceName], text)) return mustHaveBesides('the name of this service')
  return undefined
}

const mustHaveBesides = (words: string): string => `Must have at least ${minLength} characters besides ${words}.`

/** Whether less than the minimum length is left after removing the words. */
function isLittleMoreThan(words: readonly string[], text: string): boolean {
  const lower = text.toLowerCase()
  const known = words.map((word) => word.toLowerCase()).filter((word) => word.length >= shortestWord)
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), lower)
  return rest.length < lower.length && [...rest].length < minLength
}
