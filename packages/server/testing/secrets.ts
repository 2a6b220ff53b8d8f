/** Fields of requests and answers that hold what must be neither kept nor logged as it is. */
const secretFields = new Set([
  'secret',
  'link',
  'uri',
  'recoveryCodes',
  'password',
  'newPassword',
  'currentPassword',
  'recoveryCode',
])
// Shorter texts may stand in a log by chance.
const shortestLength = 12

/** Everything secret that tests have sent or been shown. */
export interface SeenSecrets {
  /** Bodies of requests and answers, with all that is in them. */
  noteBodies(...bodies: unknown[]): void
  note(secret: string): void
  all(): string[]
}

export function seenSecrets(): SeenSecrets {
  const seen = new Set<string>()
  const note = (secret: string) => {
    // Of a link only what follows the #; it is all that the service checks.
    const bare = secret.split('#').at(-1)!
    // What has line ends was no secret of ours, and the search takes its texts line by line.
    if (bare.length >= shortestLength && !/[\r\n]/.test(bare)) seen.add(bare)
  }
  const noteIn = (value: unknown, isSecret: boolean): void => {
    if (typeof value === 'string' && isSecret) note(value)
    else if (typeof value === 'object' && value !== null)
      for (const [field, inner] of Object.entries(value))
        noteIn(inner, secretFields.has(field) || (isSecret && Array.isArray(value)))
  }
  return {
    note,
    noteBodies: (...bodies) => {
      for (const body of bodies) noteIn(body, false)
    },
    all: () => [...seen],
  }
}

/** Those of all tests that this process has run: none may be in a log, nor in any of their databases. */
export const secrets: SeenSecrets = seenSecrets()
