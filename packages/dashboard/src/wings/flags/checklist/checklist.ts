/** What is known about a project and the person. Undefined: not read yet, or not readable by this person. */
export interface Known {
  type: 'FEATURE_FLAG' | 'WEB'
  isConnected: boolean
  /** A flag runs, or an experiment was launched. */
  isRunning: boolean
  isPublished: boolean | undefined
  /** People and open invitations. */
  people: number | undefined
  hasSecondFactor: boolean
  /** The token of the first start still works. Undefined for people who cannot revoke it. */
  hasInitialToken: boolean | undefined
}

export interface Step {
  key: 'connect' | 'run' | 'launch' | 'publish' | 'invite' | 'factor' | 'token'
  label: string
  isDone: boolean
}

interface Rights {
  mayPublish: boolean
  mayInvite: boolean
}

/** What is left after the first start, in the order in which it is useful. A person sees what that person can do. */
export function stepsOf(known: Known, { mayPublish, mayInvite }: Rights): Step[] {
  const isWeb = known.type === 'WEB'
  const steps: (Step | false)[] = [
    isWeb
      ? { key: 'connect', label: 'Add the tag to your pages', isDone: known.isConnected }
      : { key: 'connect', label: 'Connect your SDK', isDone: known.isConnected },
    isWeb
      ? { key: 'launch', label: 'Launch an experiment', isDone: known.isRunning }
      : { key: 'run', label: 'Run a flag', isDone: known.isRunning },
    mayPublish && !isWeb && { key: 'publish', label: 'Publish a change', isDone: known.isPublished === true },
    mayInvite && { key: 'invite', label: 'Invite a colleague', isDone: (known.people ?? 0) > 1 },
    { key: 'factor', label: 'Set up a second factor for your account', isDone: known.hasSecondFactor },
    known.hasInitialToken !== undefined && {
      key: 'token',
      label: 'Revoke the token of the first start',
      isDone: !known.hasInitialToken,
    },
  ]
  return steps.filter((step) => step !== false)
}

const keyOf = (userId: string, projectId: string) => `svc.checklist.${userId}.${projectId}`

/** Whether this person is done with the checklist of a project, in this browser. */
export const isFinished = (userId: string, projectId: string): boolean =>
  localStorage.getItem(keyOf(userId, projectId)) !== null

export const finish = (userId: string, projectId: string): void =>
  localStorage.setItem(keyOf(userId, projectId), 'finished')
