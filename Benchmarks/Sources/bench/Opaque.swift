// SPDX-License-Identifier: Apache-2.0

import CMeasuring

/// Uses a value in a way that the compiler cannot see, so that it has to be made; of an object, so that it is retained.
@inline(__always)
func use<Value>(_ value: consuming Value) {
  // By a pointer to what may be changed, as a constant could be passed where it lies.
  var value = value
  withUnsafeMutablePointer(to: &value) { opaque_use($0) }
}

/// Gives a value back, of which the compiler then knows no more than the type: it can neither fold what is made of it nor see
/// through a closure.
@inline(never)
func opaque<Value>(_ value: Value) -> Value {
  var value = value
  withUnsafeMutablePointer(to: &value) { opaque_use($0) }
  return value
}
