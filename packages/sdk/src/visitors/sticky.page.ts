import type { Keep } from '@svc/core'
import type { Settings } from '../options.ts'

/** As in `sticky.ts`, in fewer bytes. */
export function keepIn({ stickyStore, warn }: Settings, envId: () => string | undefined): Keep {
  let isTold = false
  const call =
    (name: 'get' | 'set') =>
    (ruleId: string, unit: string, variationKey = '') => {
      try {
        return stickyStore![name](`${envId()}.${ruleId}.${unit}`, variationKey)
      } catch (fault) {
        if (!isTold) warn('no stickyStore', fault)
        isTold = true
      }
    }
  return { get: call('get'), set: call('set') }
}
