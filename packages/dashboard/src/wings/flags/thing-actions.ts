import type { Thing, ThingAction } from '../../shell/wing.ts'
import { announce } from '../../ui/notice/announce.tsx'

const copy = async (text: string, message: string) => {
  await navigator.clipboard.writeText(text)
  announce(message)
}

const flagPage = '/$org/$project/flags/$flag'
const placeOf = ({ place }: Thing) => place?.environment.name ?? ''
const searchOf = ({ place }: Thing) => ({ env: place?.environment.key })

/** What the palette offers for a flag or an environment. What changes what visitors get asks first, on its page. */
export const actions: ThingAction[] = [
  {
    of: 'flag',
    scope: 'flags:write',
    isFor: ({ place }) => place?.isRunning === true,
    label: (flag) => `Pause ${flag.name} in ${placeOf(flag)}`,
    act: (flag, open) => open(flagPage, { flag: flag.key }, { ...searchOf(flag), ask: 'pause' }),
  },
  {
    of: 'flag',
    scope: 'flags:write',
    isFor: ({ place }) => place !== undefined && !place.isRunning && !place.isArchived,
    label: (flag) => `Run ${flag.name} in ${placeOf(flag)}`,
    act: (flag, open) => open(flagPage, { flag: flag.key }, { ...searchOf(flag), ask: 'run' }),
  },
  {
    of: 'flag',
    isFor: ({ place }) => place !== undefined && place.unpublished > 0,
    label: (flag, may) =>
      may('projects:write') ? `Publish ${flag.name} to ${placeOf(flag)}` : `Review ${flag.name} in ${placeOf(flag)}`,
    act: ({ key, place }, open) =>
      open('/$org/$project/environments/$environment/publish', { environment: place?.environment.key }, { flags: key }),
  },
  {
    of: 'flag',
    scope: 'flags:write',
    isFor: ({ place }) => place !== undefined && !place.isArchived,
    label: (flag) => `Schedule ${flag.name} in ${placeOf(flag)}`,
    act: (flag, open) => open(flagPage, { flag: flag.key }, { ...searchOf(flag), schedule: 'flag' }),
  },
  {
    of: 'flag',
    label: (flag) => `Try a visitor with ${flag.name}`,
    act: (flag, open) => open('/$org/$project/playground', {}, { ...searchOf(flag), flag: flag.key }),
  },
  {
    of: 'flag',
    label: ({ name }) => `Copy the key of ${name}`,
    act: ({ key = '' }) => copy(key, `${key} copied.`),
  },
  {
    of: 'environment',
    label: ({ name }) => `Copy the SDK key of ${name}`,
    act: ({ name, sdkKey = '' }) => copy(sdkKey, `SDK key of ${name} copied.`),
  },
]
