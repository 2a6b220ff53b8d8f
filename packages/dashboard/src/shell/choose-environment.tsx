import { EnvironmentTabs, neighbor } from '../ui/layout/environment-tabs.tsx'
import { useEnvironment } from './environment.ts'
import { useKeys } from './keys.ts'

interface ChooseEnvironmentProps {
  /** The id of the element that shows the chosen environment. */
  panelId: string
  /** How many changes of an environment are not published. By default, the tabs show none. */
  unpublished?: (envId: string) => number
}

/** The environments of the project as tabs, with the keys `[` and `]`. Pages read the choice from `useEnvironment`. */
export function ChooseEnvironment({ panelId, unpublished = () => 0 }: ChooseEnvironmentProps) {
  const { environment, environments, choose } = useEnvironment()
  const step = (by: 1 | -1) => choose(neighbor(environments, environment.key, by))
  useKeys({
    '[': { label: 'Previous environment', act: () => step(-1) },
    ']': { label: 'Next environment', act: () => step(1) },
  })
  return (
    <EnvironmentTabs
      environments={environments.map((each) => ({
        ...each,
        isProtected: each.protected,
        unpublished: unpublished(each.id),
      }))}
      chosen={environment.key}
      onChoose={choose}
      panelId={panelId}
    />
  )
}
