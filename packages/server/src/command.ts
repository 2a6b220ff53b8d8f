import { nearest } from '@svc/core'
import { planFeatures } from './catalogue/scopes.ts'
import { ConfigError } from './config.ts'

const usage = `svc-server: starts the service, and does the operator's work. Every command reads the same settings.

  svc-server start                   start the service; svc-server alone does the same
  svc-server config                  list every setting with its default and meaning
  svc-server health                  ask the service of this machine whether it is ready; exits with 1 if it is not
  svc-server doctor [--json]         check the settings and everything that the service needs; exits with 1 on a failure
  svc-server migrate [--check]       migrate the database without starting the service; --check only lists the missing
                                     migrations, and exits with 1 if there are any
    --if-empty                       only fill an empty database; check any other as --check does
  svc-server backup                  write a backup of the whole database into this folder
    --out <folder>                   write it into this folder instead
    --with-secret-key                include the secret key, which decrypts every secret in the backup
  svc-server restore <file>          fill an empty database, or make the embedded one, from a backup
    --replace                        move the existing embedded database aside
    --drill                          for a rehearsal: disable all webhooks, cancel all schedules
    --keep-revisions                 do not raise the revisions: only if no SDK has a later data file
    --other-key                      restore with a different secret key: webhook secrets and second factors cannot be
                                     decrypted, and the signature cannot be checked
    --unsigned                       restore although the signature is missing or wrong: anyone could have changed it
  svc-server move                    move the embedded database of SVC_DATA_DIR to the empty PostgreSQL database of
                                     SVC_DATABASE_URL, and compare everything
  svc-server secret-key              print a new secret key
    --file <file>                    write it to this file instead, unless the file exists
  svc-server audit verify            verify the chains of the audit log
    --organization <id>              verify only this organization, by id or short id
    --expect <number>:<hash>         an entry that must exist, as printed by an earlier run; can be repeated
    --expect-from <file>             a file with signed heads that must exist: a copy of audit.head, or a log
  svc-server organizations list      list every organization with its short id, id, name and features
  svc-server organizations enable <organization> <feature>
  svc-server organizations disable <organization> <feature>
                                     turn a feature of an organization on or off; the organization is named by
                                     id or short id, the feature is ${planFeatures.join(' or ')}
  svc-server reset-link <email>      print a link with which this person can set a new password
`

type Command = (args: string[]) => Promise<void> | void

// Each command loads what it needs and no more: a health check runs every few seconds, and a start should be quick.
const commands: Record<string, () => Promise<Command>> = {
  start: async () => (await import('./commands/start.ts')).start,
  config: async () => (await import('./commands/config.ts')).printSettings,
  health: async () => (await import('./commands/health.ts')).checkHealth,
  doctor: async () => (await import('./commands/doctor.ts')).examine,
  migrate: async () => (await import('./commands/migrate.ts')).migrateDatabase,
  backup: async () => (await import('./commands/backup.ts')).backUp,
  restore: async () => (await import('./commands/restore.ts')).restoreBackup,
  move: async () => (await import('./commands/move.ts')).moveToServer,
  'secret-key': async () => (await import('./commands/secret-key.ts')).printSecretKey,
  'audit verify': async () => (await import('./commands/audit-verify.ts')).verifyAudit,
  'organizations list': async () => (await import('./commands/organizations.ts')).printOrganizations,
  'organizations enable': async () => {
    const { switchFeature } = await import('./commands/organizations.ts')
    return (args) => switchFeature(args, 'on')
  },
  'organizations disable': async () => {
    const { switchFeature } = await import('./commands/organizations.ts')
    return (args) => switchFeature(args, 'off')
  },
  'reset-link': async () => (await import('./commands/reset-link.ts')).printResetLink,
}

/** Runs a command. The exit code is 1 if it failed and 2 if it was not understood. */
export async function run(given: string[]): Promise<void> {
  const args = given.length === 0 ? ['start'] : given
  const name = Object.keys(commands).find((words) => `${args.join(' ')} `.startsWith(`${words} `))
  if (!name) {
    const isHelp = ['help', '--help', '-h'].includes(args[0]!) && isCommand(args.slice(1))
    process.exitCode = isHelp ? 0 : 2
    const asked = args[0] === 'help' ? args.slice(1) : args
    return void (isHelp ? process.stdout.write(usage) : process.stderr.write(unknownCommand(asked)))
  }
  try {
    const command = await commands[name]!()
    await command(args.slice(name.split(' ').length))
  } catch (error) {
    process.exitCode = isUsageError(error) ? 2 : 1
    const lines = error instanceof ConfigError ? error.problems : [messageOf(error, name)]
    for (const line of lines) process.stderr.write(`svc-server: ${line}\n`)
  }
}

/** Whether commands begin with these words, so that the help has an answer to them. */
const isCommand = (words: string[]): boolean =>
  words.length === 0 || Object.keys(commands).some((name) => `${name} `.startsWith(`${words.join(' ')} `))

/** What the first words should have been; the whole help if nothing is like them. */
function unknownCommand([first = '', second = '']: string[]): string {
  const names = Object.keys(commands)
  const isBegun = names.some((name) => name.startsWith(`${first} `))
  const said = isBegun && second !== '' ? `${first} ${second}` : first
  const meant = nearest(said, names) ?? nearest(first, [...new Set(names.map((name) => name.split(' ')[0]!))])
  if (isBegun && second === '') return `svc-server: "${first}" needs another word.\n\n${usage}`
  const line = `svc-server: "${said}" is not a command.`
  return meant === undefined || meant === said
    ? `${line}\n\n${usage}`
    : `${line} Did you mean svc-server ${meant}? See svc-server help.\n`
}

function messageOf(error: unknown, name: string): string {
  if (!(error instanceof Error)) return String(error)
  const [, option] = /^Unknown option '(-[^']+)'/.exec(error.message) ?? []
  if (!isUsageError(error) || option === undefined) return error.message
  const meant = nearest(option, optionsOf(name))
  return `Unknown option '${option}'.${meant ? ` Did you mean ${meant}?` : ' See svc-server help.'}`
}

/** The options of a command, as its help names them. */
function optionsOf(name: string): string[] {
  const [, help = ''] = new RegExp(`^  svc-server ${name}\\b([^]*?)(?=^  svc-server |$(?![^]))`, 'm').exec(usage) ?? []
  return [...new Set(help.match(/--[a-z][a-z-]+/g))]
}

const isUsageError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
