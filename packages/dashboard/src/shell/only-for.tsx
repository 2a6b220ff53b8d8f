import { OnlyFor as Line } from '../ui/notice/only-for.tsx'
import { useAdministrators } from './administrators.ts'

/** In the place of actions that this person cannot take: what they can do, and who can change their role. */
export function OnlyFor({ children }: { children: string }) {
  return <Line {...useAdministrators()}>{children}</Line>
}
