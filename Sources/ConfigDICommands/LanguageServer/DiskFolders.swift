// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDITooling

  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #endif

  /// The folders on disk, read by POSIX calls. Symbolic links do not count as folders, so no search follows a cycle.
  struct DiskFolders: FolderListing {
    func entries(of folder: String) -> [(name: String, isFolder: Bool)] {
      guard !folder.utf8.contains(0), let stream = opendir(folder) else { return [] }
      defer { closedir(stream) }
      var entries: [(name: String, isFolder: Bool)] = []
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
            String(cString: $0)
          }
        }
        guard name != ".", name != ".." else { continue }
        entries.append((name, isFolder(entry.pointee.d_type, folder + "/" + name)))
      }
      return entries.sorted { $0.name < $1.name }
    }

    /// Returns whether an entry is a folder. If the file system does not give its type, asks for its status.
    private func isFolder(_ type: UInt8, _ path: String) -> Bool {
      guard type == UInt8(DT_UNKNOWN) else { return type == UInt8(DT_DIR) }
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
  }
#endif
