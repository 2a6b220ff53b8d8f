/** Fields of requests and answers whose values must be neither stored nor logged in plain text. */
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
// Shorter texts can be in a log by chance.
const shortestLength = 12

/** A link to a page of the dashboard opens nothing by itself: secrets of links are behind a #. */
const isPage = (field: string, value: unknown): boolean =>
  field === 'link' && typeof value === 'string' && !value.includes('#')

/** Every secret that tests have sent or received, up to the last `forget`. */
export interface SeenSecrets {
  /** Notes the secrets in the bodies of requests and answers. */
  noteBodies(...bodies: unknown[]): void
  note(secret: string): void
  all(): string[]
  forget(): void
}

export function seenSecrets(): SeenSecrets {
  const seen = new Set<string>()
  const note = (secret: string) => {
    // Of a link, only the part after the # is checked by the service.
    const bare = secret.split('#').at(-1)!
    // A text with line ends is not one of our secrets, and the search reads texts line by line.
    if (bare.length >= shortestLength && !/[\r\n]/.test(bare)) seen.add(bare)
  }
  const noteIn = (value: unknown, isSecret: boolean): void => {
    if (typeof value === 'string' && isSecret) note(value)
    else if (typeof value === 'object' && value !== null)
      for (const [field, inner] of Object.entries(value))
        noteIn(inner, (secretFields.has(field) && !isPage(field, inner)) || (isSecret && Array.isArray(value)))
  }
  return {
    note,
    noteBodies: (...bodies) => {
      for (const body of bodies) noteIn(body, false)
    },
    all: () => [...seen],
    forget: () => seen.clear(),
  }
}

/** The secrets of all tests of this file. None of them must be in a log or in any of their databases. */
export const secrets: SeenSecrets = seenSecrets()
