import { randomBytes, randomUUIDv7 } from 'node:crypto'

let last = ''

/**
 * A bare UUIDv7. Ids sort by the time at which they were made, which list cursors rely on. The ids of one process keep
 * their order within a millisecond and when the clock goes back.
 */
export function newId(): string {
  const id = randomUUIDv7()
  last = id > last ? id : idAfter(last)
  return last
}

const tailLength = 12

function idAfter(id: string): string {
  const next = (Number.parseInt(id.slice(-tailLength), 16) + 1) % 16 ** tailLength
  return id.slice(0, -tailLength) + next.toString(16).padStart(tailLength, '0')
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isId = (text: string): boolean => uuidPattern.test(text)

/** Public: names an environment to SDKs and gives access only to its data file. */
export const newSdkKey = (): string => `sdk_${randomBytes(24).toString('base64url')}`

export const isSdkKey = (text: string): boolean => /^sdk_[\w-]{32}$/.test(text)

export const servicePrefix = 'svc_svc_'
export const personalPrefix = 'svc_pat_'
export const ingestPrefix = 'svc_ing_'
export const editorPrefix = 'svc_edt_'

export const newServiceSecret = (): string => servicePrefix + randomBytes(32).toString('base64url')
export const newPersonalSecret = (): string => personalPrefix + randomBytes(32).toString('base64url')
export const newEditorSecret = (): string => editorPrefix + randomBytes(32).toString('base64url')

/** People name a key by its last four characters, which must not begin like an option of a command line. */
export function newIngestSecret(): string {
  for (;;) {
    const secret = ingestPrefix + randomBytes(32).toString('base64url')
    if (/[A-Za-z0-9].{3}$/.test(secret)) return secret
  }
}
