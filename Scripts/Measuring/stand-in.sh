#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the source of a stand-in for Swinject, which cannot be fetched where the measurements run: a container of closures
# whose interface has the shape that Swinject's public documentation describes. It is not Swinject; what it stands for is
# the cost of compiling such calls, and of a small library of classes and closures.
#
# usage: Scripts/Measuring/stand-in.sh >FILE.swift
cat <<'END'
/// What looks services up.
public protocol Resolver {
  func resolve<Service>(_ serviceType: Service.Type) -> Service?
  func resolve<Service>(_ serviceType: Service.Type, name: String?) -> Service?
  func resolve<Service, A>(_ serviceType: Service.Type, argument: A) -> Service?
  func resolve<Service, A>(_ serviceType: Service.Type, name: String?, argument: A) -> Service?
  func resolve<Service, A, B>(_ serviceType: Service.Type, arguments: A, _: B) -> Service?
  func resolve<Service, A, B>(_ serviceType: Service.Type, name: String?, arguments: A, _: B) -> Service?
}

/// How long an instance lives.
public enum ObjectScope { case transient, graph, container, weak }

/// A registration without its type.
public protocol ServiceEntryProtocol: AnyObject {}

/// A registration.
public final class ServiceEntry<Service>: ServiceEntryProtocol {
  let factory: Any
  var scope = ObjectScope.graph
  var completions: [(Resolver, Service) -> Void] = []
  var instance: Any?

  init(factory: Any) { self.factory = factory }

  @discardableResult public func inObjectScope(_ scope: ObjectScope) -> Self {
    self.scope = scope
    return self
  }

  @discardableResult public func initCompleted(_ completed: @escaping (Resolver, Service) -> Void) -> Self {
    completions.append(completed)
    return self
  }
}

/// The key of a registration.
struct ServiceKey: Hashable {
  let service: ObjectIdentifier
  let arguments: ObjectIdentifier
  let name: String?
}

/// A container of closures.
public final class Container: Resolver {
  private var entries: [ServiceKey: ServiceEntryProtocol] = [:]

  public init() {}

  @discardableResult public func register<Service>(
    _ serviceType: Service.Type, name: String? = nil, factory: @escaping (Resolver) -> Service
  ) -> ServiceEntry<Service> { insert(serviceType, (Resolver).self, name, factory) }

  @discardableResult public func register<Service, A>(
    _ serviceType: Service.Type, name: String? = nil, factory: @escaping (Resolver, A) -> Service
  ) -> ServiceEntry<Service> { insert(serviceType, (Resolver, A).self, name, factory) }

  @discardableResult public func register<Service, A, B>(
    _ serviceType: Service.Type, name: String? = nil, factory: @escaping (Resolver, A, B) -> Service
  ) -> ServiceEntry<Service> { insert(serviceType, (Resolver, A, B).self, name, factory) }

  @discardableResult public func register<Service, A, B, C>(
    _ serviceType: Service.Type, name: String? = nil, factory: @escaping (Resolver, A, B, C) -> Service
  ) -> ServiceEntry<Service> { insert(serviceType, (Resolver, A, B, C).self, name, factory) }

  public func resolve<Service>(_ serviceType: Service.Type) -> Service? { resolve(serviceType, name: nil) }

  public func resolve<Service>(_ serviceType: Service.Type, name: String?) -> Service? {
    look(serviceType, (Resolver).self, name) { (factory: (Resolver) -> Service) in factory(self) }
  }

  public func resolve<Service, A>(_ serviceType: Service.Type, argument: A) -> Service? {
    resolve(serviceType, name: nil, argument: argument)
  }

  public func resolve<Service, A>(_ serviceType: Service.Type, name: String?, argument: A) -> Service? {
    look(serviceType, (Resolver, A).self, name) { (factory: (Resolver, A) -> Service) in factory(self, argument) }
  }

  public func resolve<Service, A, B>(_ serviceType: Service.Type, arguments a: A, _ b: B) -> Service? {
    resolve(serviceType, name: nil, arguments: a, b)
  }

  public func resolve<Service, A, B>(_ serviceType: Service.Type, name: String?, arguments a: A, _ b: B) -> Service? {
    look(serviceType, (Resolver, A, B).self, name) { (factory: (Resolver, A, B) -> Service) in factory(self, a, b) }
  }

  private func insert<Service>(
    _ service: Service.Type, _ arguments: Any.Type, _ name: String?, _ factory: Any
  ) -> ServiceEntry<Service> {
    let entry = ServiceEntry<Service>(factory: factory)
    entries[ServiceKey(service: ObjectIdentifier(service), arguments: ObjectIdentifier(arguments), name: name)] = entry
    return entry
  }

  private func look<Service, Factory>(
    _ service: Service.Type, _ arguments: Any.Type, _ name: String?, _ call: (Factory) -> Service
  ) -> Service? {
    let key = ServiceKey(service: ObjectIdentifier(service), arguments: ObjectIdentifier(arguments), name: name)
    guard let entry = entries[key] as? ServiceEntry<Service>, let factory = entry.factory as? Factory else { return nil }
    if let instance = entry.instance as? Service { return instance }
    let made = call(factory)
    if entry.scope != .transient { entry.instance = made }
    for completed in entry.completions { completed(self, made) }
    return made
  }
}
END
