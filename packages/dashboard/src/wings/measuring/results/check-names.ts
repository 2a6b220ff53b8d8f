import type { Results } from './figures.ts'

export type Check = Results['health']['checks'][number]

/** The checks of a test, as people read them. */
export const checkNames: Record<Check['check'], string> = {
  SRM: 'Split of the visitors',
  CROSSOVER: 'Visitors in several variations',
  TRAFFIC_DROP: 'New visitors',
  NO_EXPOSURES: 'Exposures',
  TRAFFIC_CAP: 'Traffic cap',
  VARIATION_STARVED: 'Visitors in every variation',
  BALANCE: 'Balance before the test',
  COMPUTATION: 'Computation',
  ADDRESS_SHARE: 'Visitors by address',
}
