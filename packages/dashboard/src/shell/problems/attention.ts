import { server } from '../../api.ts'

/** Problems are rarely more urgent than this; changes by people in the dashboard arrive at once anyway. */
const readMs = 60_000

/** The open problems of the organization that this person can see. */
export const useAttention = ({ isWanted = true }: { isWanted?: boolean } = {}) =>
  server.useQuery('get', '/api/dashboard/attention', {}, { enabled: isWanted, refetchInterval: readMs })
