import { type Instance, isSilent, tellsRevision } from './propagation.ts'

/** In the order of a list: problems first. */
export const clientStates = ['BEHIND', 'SILENT', 'UNKNOWN', 'UP_TO_DATE'] as const

export type ClientState = (typeof clientStates)[number]

export interface Client extends Instance {
  /** The place in the list. Heartbeats do not move a client unless its state changes, so a cursor stays valid. */
  id: string
  state: ClientState
  /** How many revisions were published after the one that it serves; null if that is unknown. */
  revisionsBehind: number | null
}

/** The known clients of an environment: those behind first, then by type, version and instance id. */
export const clientsOf = (currentRevision: number, instances: readonly Instance[], now: Date): Client[] =>
  instances
    .map((instance) => clientOf(instance, currentRevision, now))
    .sort((one, other) => (one.id < other.id ? -1 : 1))

function clientOf(instance: Instance, currentRevision: number, now: Date): Client {
  const { sdkType, sdkVersion, instanceId } = instance
  const revisionsBehind = tellsRevision(instance, currentRevision) ? currentRevision - instance.revision : null
  const state = stateOf(revisionsBehind, isSilent(instance, now))
  // Their texts are printable, so a tab sorts before anything in them.
  const id = [clientStates.indexOf(state), sdkType, sdkVersion, instanceId].join('\t')
  return { ...instance, id, state, revisionsBehind }
}

function stateOf(revisionsBehind: number | null, silent: boolean): ClientState {
  if (silent) return 'SILENT'
  if (revisionsBehind === null) return 'UNKNOWN'
  return revisionsBehind > 0 ? 'BEHIND' : 'UP_TO_DATE'
}
