import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { Propagation } from '../../../ui/status/propagation.tsx'
import type { PropagationState } from '../../../ui/status/propagation-words.ts'

/** How far a change has come in an environment. Late clients are looked up on its page of clients. */
export function Spread({ state, environment }: { state: PropagationState; environment: string }) {
  const { params } = usePlace()
  return (
    <Propagation
      state={state}
      linked={(words) => (
        <TextLink
          to="/$org/$project/environments/$environment/clients"
          params={{ ...params, environment }}
          inherit
          underline="always"
        >
          {words}
        </TextLink>
      )}
    />
  )
}
