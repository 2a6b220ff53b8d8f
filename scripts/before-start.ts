// Builds what the service serves, as far as it has changed: the SDK and the command line beside the dashboard and the
// guides, because the declarations of the SDK take as long as all the rest.
import { allOf, runScript } from './build.ts'
import { arePackagesUpToDate, packPackages } from './packages.ts'

await allOf([buildPackages(), runScript('build:run', 'dashboard', 'docs', 'web')])

async function buildPackages(): Promise<void> {
  if (arePackagesUpToDate()) return runScript('build:run', 'sdk')
  await runScript('build:package', 'sdk', 'cli')
  try {
    packPackages()
  } catch (error) {
    // The service runs without its packages.
    console.error(`The packages are not made: ${(error as Error).message}`)
  }
}
