import { randomBytes, randomUUIDv7 } from 'node:crypto'

/** A bare UUIDv7: ids sort by the time of their making, which is what list cursors page by. */
export const newId = (): string => randomUUIDv7()

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isId = (text: string): boolean => uuidPattern.test(text)

/** Public: it names an environment to the SDKs and opens nothing but its data file. */
export const newSdkKey = (): string => `sdk_${randomBytes(24).toString('base64url')}`

export const isSdkKey = (text: string): boolean => /^sdk_[\w-]{32}$/.test(text)

export const servicePrefix = 'svc_svc_'
export const personalPrefix = 'svc_pat_'

export const newServiceSecret = (): string => servicePrefix + randomBytes(32).toString('base64url')
export const newPersonalSecret = (): string => personalPrefix + randomBytes(32).toString('base64url')
