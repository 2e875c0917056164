// SPDX-License-Identifier: Apache-2.0

import CMeasuring

/// Uses a value in a way unknown to the compiler, so that it has to be made, and an object has to be retained.
@inline(__always)
func use<Value>(_ value: consuming Value) {
  // The pointer is mutable, since a constant could be passed without a copy.
  var value = value
  withUnsafeMutablePointer(to: &value) { opaque_use($0) }
}

/// Returns the value, about which the compiler then knows only the type. So it can neither fold constants nor inline a
/// closure.
@inline(never)
func opaque<Value>(_ value: Value) -> Value {
  var value = value
  withUnsafeMutablePointer(to: &value) { opaque_use($0) }
  return value
}
