export { type Proof, proveSecondFactor, type SecondFactorContext } from './actions.ts'
export { secondFactorRoutes } from './routes.ts'
