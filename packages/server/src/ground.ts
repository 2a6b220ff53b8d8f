import { baseUrlOf, type Config, ConfigError } from './config.ts'
import { type HeldPort, holdPort } from './http/files/held-port.ts'
import { dataFolderProblem, makeDataFolder } from './platform/data-folder.ts'
import { readSecretKey } from './platform/secret-key.ts'
import type { Provisioning } from './wings/setup/index.ts'

/** What a start needs: ports, data folder, secret key and provisioning file. */
export interface Ground {
  port: HeldPort
  /** The port for metrics, if the settings name one. */
  metricsPort: HeldPort | undefined
  given: Provisioning | undefined
}

/**
 * Checks everything that would stop the start, before anything is created: ports, data folder, secret key and
 * provisioning file. Throws a ConfigError with all problems.
 */
export async function takeGround(config: Config): Promise<Ground> {
  const [port, metricsPort, folder, key] = await Promise.all([
    hold(config, 'SVC_PORT'),
    config.SVC_METRICS_PORT === undefined ? undefined : hold(config, 'SVC_METRICS_PORT'),
    config.SVC_DATABASE_URL ? undefined : dataFolderProblem(config.SVC_DATA_DIR),
    keyProblem(config),
  ])
  const given = await readGivenFile(config)
  const problems: string[] = []
  if ('problem' in port) problems.push(port.problem)
  if (metricsPort && 'problem' in metricsPort) problems.push(metricsPort.problem)
  for (const problem of [folder, key]) if (problem) problems.push(`SVC_DATA_DIR${problem}`)
  if (given instanceof ConfigError) problems.push(...given.problems)
  if (problems.length === 0 && !config.SVC_DATABASE_URL) {
    const problem = makeDataFolder(config.SVC_DATA_DIR)
    if (problem) problems.push(`SVC_DATA_DIR${problem}`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return { port, metricsPort, given } as Ground
}

const hold = (config: Config, portName: 'SVC_PORT' | 'SVC_METRICS_PORT') =>
  holdPort({ host: config.SVC_HOST, port: config[portName]!, portName, baseUrl: baseUrlOf(config) })

async function keyProblem({ SVC_SECRET_KEY: given, SVC_DATA_DIR: dataDir }: Config): Promise<string | undefined> {
  if (given) return undefined
  const found = await readSecretKey(dataDir).catch((error: NodeJS.ErrnoException) => ({
    problem: `: cannot read the secret key in ${dataDir} (${error.code}).`,
  }))
  return found && 'problem' in found ? found.problem : undefined
}

/** Loaded only if there is a file, because the wing that reads it imports most of the program. */
async function readGivenFile(config: Config): Promise<Provisioning | ConfigError | undefined> {
  if (!config.SVC_BOOTSTRAP_FILE) return undefined
  const { readGiven } = await import('./wings/setup/index.ts')
  return readGiven(config).catch((error: unknown) => {
    if (error instanceof ConfigError) return error
    throw error
  })
}
