import type { Database } from '../src/platform/db/index.ts'
import { databaseFilesWith, type Stored } from './at-rest.ts'

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

/** Everything secret that a service's tests have sent or been shown. */
export interface SeenSecrets {
  /** A request's or an answer's body, with all that is in it. */
  noteBody(body: unknown): void
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
  const noteBody = (value: unknown, isSecret = false): void => {
    if (typeof value === 'string' && isSecret) note(value)
    else if (typeof value === 'object' && value !== null)
      for (const [field, inner] of Object.entries(value))
        noteBody(inner, secretFields.has(field) || (isSecret && Array.isArray(value)))
  }
  return { note, noteBody: (body) => noteBody(body), all: () => [...seen] }
}

interface Watched extends Stored {
  database: Database
  secrets: SeenSecrets
}

/** Throws where a secret stands in the log, or as it is in the files of the database or its write-ahead log. */
export async function expectNoSecrets(service: Watched, log: string): Promise<void> {
  const secrets = service.secrets.all()
  if (secrets.length === 0) return
  const logged = secrets.filter((secret) => log.includes(secret))
  // The files of an embedded database are searched where that is the test's own promise: each search takes a while.
  const searched = service.database.kind === 'server' && (await isOpen(service))
  const files = searched ? await databaseFilesWith(service, secrets) : []
  if (logged.length + files.length > 0)
    throw new Error(`secrets were kept: in the log ${JSON.stringify(logged)}, in files ${JSON.stringify(files)}`)
}

/** Some tests take the database away. */
const isOpen = ({ database }: Watched): Promise<boolean> =>
  database.ping().then(
    () => true,
    () => false,
  )
